"""Corpora for the lab: generated ones with known truth."""
