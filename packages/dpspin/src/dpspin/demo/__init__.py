"""A generated corpus with known truth: support tickets that nobody wrote."""
