"""The paper's figures, drawn from summary tables alone: no run, no record and no model is needed for them."""
