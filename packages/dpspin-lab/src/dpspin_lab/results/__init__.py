"""The results page: what was run, what the paper claims, and what the tables of the runs say about it."""
