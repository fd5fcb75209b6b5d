"""Stage III: turn a plan into text in which every sentence is checked against the plan."""
