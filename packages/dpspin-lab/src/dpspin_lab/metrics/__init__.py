"""The metrics of the paper's appendix, one pure function each. Those that see exact masses are not private."""
