"""What text is, whoever reads it: pure functions that both sides use."""
