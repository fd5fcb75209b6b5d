"""Accuracy before spending: what a release would be able to say, from public inputs alone."""
