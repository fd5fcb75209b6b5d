"""The public verifier: a list of small pure checks with named rules (the paper's decoder contract)."""
