"""Zone 0: the only types both sides know. Public values and pure functions of them; nothing here can hold a record."""
