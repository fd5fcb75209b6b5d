"""Studies beside the evaluation, simulated or against known truth: maps, mechanisms, promises, forecasts, decoders."""
