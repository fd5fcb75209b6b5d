"""Poisoned records against every pipeline: how often one person's secret is told."""
