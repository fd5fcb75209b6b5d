"""Tables that are read where they lie, one module per kind; ``data_table`` is what they are to a corpus.

A library that reads one is optional, and imported where it is used.
"""
