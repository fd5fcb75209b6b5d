"""The plans of a series side by side: what changed and since when, as verified sentences, a page and a table."""
