"""`dpspin lab …`: the commands that this distribution adds to `dpspin`."""
