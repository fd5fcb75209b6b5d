"""Dictionaries from auxiliary text: suggestions for people to edit, phrases under a profile, paths of a taxonomy."""
