"""Phrases that nobody listed, as a reader sees them: from what was released and looked at, and nothing else."""
