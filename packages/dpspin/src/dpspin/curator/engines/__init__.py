"""Where Stage I runs: engines move batches, the arithmetic is elsewhere."""
