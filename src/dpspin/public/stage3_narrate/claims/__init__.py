"""Typed claims: everything a text may say of a plan, each with a test of whether it holds and its words."""
