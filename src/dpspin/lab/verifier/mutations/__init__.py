"""Falsehoods planted by code: each kind in several wordings, false by construction, repeatable by seed."""
