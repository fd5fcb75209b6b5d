"""What the curator may look at before a release: guesses for a person, never for a release."""
