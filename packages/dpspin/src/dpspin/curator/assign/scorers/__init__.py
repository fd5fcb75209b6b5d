"""One contribution map per file."""
