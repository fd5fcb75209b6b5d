"""A language model as judge of texts, offline. It sees what was released and the text, and no record."""
