"""Differentially private rivals: two histograms and a URANIA-style release, each with a loss that code computes."""
