"""The verifier's benchmark: what it catches, and what it wrongly refuses."""
