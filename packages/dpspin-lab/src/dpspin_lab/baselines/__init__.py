"""What the method is compared with: private rivals, and references that protect nobody."""
