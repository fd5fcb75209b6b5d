"""Models of language that come as files, one per module. None of them needs a network, torch or a GPU."""
