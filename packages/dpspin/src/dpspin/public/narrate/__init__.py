"""Stage III: a sentence is verified when it is read back as claims that hold of the plan."""
