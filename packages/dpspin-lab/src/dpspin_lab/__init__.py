"""Offline evaluation: sees exact sketches and known truth, so it is NOT private and never part of a release."""
