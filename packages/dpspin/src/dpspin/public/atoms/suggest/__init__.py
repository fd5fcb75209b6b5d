"""Candidate atoms from auxiliary text, in small steps: normalise, extract, filter, canonicalise, merge, rank."""
