"""DP-SPIN: measure predefined concepts in private text, privately, and read a report that is checked."""

__version__ = "0.1.0"
