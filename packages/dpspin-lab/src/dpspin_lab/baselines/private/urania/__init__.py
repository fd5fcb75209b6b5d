"""The paper's URANIA-style baseline: private clusters, described by public keywords (its appendix, step by step)."""
