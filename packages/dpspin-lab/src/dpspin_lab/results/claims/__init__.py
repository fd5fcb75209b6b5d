"""The claims, each with the test that decides it."""
