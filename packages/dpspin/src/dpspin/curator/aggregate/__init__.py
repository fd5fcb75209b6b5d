"""From contributions to one exact sketch: totals, users, samples, shards, and what of it may be stored."""
