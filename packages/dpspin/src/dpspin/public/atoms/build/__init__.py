"""Dictionaries built from auxiliary records by fixed rules: the paper's taxonomy atoms and phrase atoms."""
