"""Runs of the paper's evaluation: one configuration each, prepared data, grids, grouped summaries. Nothing here is private."""
