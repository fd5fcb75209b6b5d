"""A pipeline like Clio (Tamkin et al. 2024, arXiv:2412.13678): the thing people run today. NOT private.

Facets of each record, embeddings, k-means, a smallest group, names for groups, an audit of the names, a hierarchy. Its
safeguards are heuristics. ``membership`` measures what they leave open. This is our own reading of the published
description, with models and code of ours: it stands for the kind of pipeline, not for Anthropic's.
"""
