"""Stage I: each record to at most K atoms with total mass at most one, as integers."""
