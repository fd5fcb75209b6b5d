"""What DP-SPIN is compared with: private rivals, and references that are not private."""
