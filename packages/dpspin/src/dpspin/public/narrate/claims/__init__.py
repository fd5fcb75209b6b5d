"""Claims: everything that can be said of a plan, each with one law of when it holds."""
