"""A language model behind an OpenAI-compatible endpoint, as the map of records or as the teacher on auxiliary text."""
