"""The one way to a language model: it knows endpoints and messages, nothing of records or plans. Both sides use it."""
