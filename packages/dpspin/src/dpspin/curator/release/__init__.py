"""Stage II: a request is answered. Check, read, charge, draw, commit; and only then hand out."""
