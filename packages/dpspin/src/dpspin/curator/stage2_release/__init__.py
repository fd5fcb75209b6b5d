"""Stage II: from contributions to an integer sketch, and through one gate to a differentially private plan."""
