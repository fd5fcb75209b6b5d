"""Zone 2: everything a reader sees, computed from plans and public or auxiliary data only."""
