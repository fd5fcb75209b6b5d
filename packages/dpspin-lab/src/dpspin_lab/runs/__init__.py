"""The paper's evaluation: configurations, prepared records, runs, grids, summaries. Nothing here is private."""
