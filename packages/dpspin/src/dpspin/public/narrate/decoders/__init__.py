"""Decoders: anything that writes a candidate text from a plan and the history of its earlier attempts."""
