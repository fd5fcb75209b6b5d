"""What readers get: the HTML report, the tidy table and the privacy label, all functions of the plan."""
