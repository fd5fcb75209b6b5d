"""DP-SPIN."""
