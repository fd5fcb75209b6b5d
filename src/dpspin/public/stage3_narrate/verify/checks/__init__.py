"""One check per file; each yields the violations of one named rule."""
