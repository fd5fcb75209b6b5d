"""A release rehearsed on auxiliary text, with simulated noise: never on protected records."""
