"""Maps that estimate how much of a record is about each atom, and may answer "none of these"."""
