"""ZONE 2 - what others may read: published releases, served to people (`dpspin serve`) and to agents (`dpspin mcp`)."""
