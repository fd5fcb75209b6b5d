"""Reading a passage: one pass from left to right over its items, one handler for each kind of item."""
