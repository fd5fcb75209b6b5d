"""Stage I: each record to atoms with total mass at most one (the paper's map: to at most K), as integers."""
