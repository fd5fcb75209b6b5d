"""Whether a published folder is whole, signed, and says nothing but what its plan supports."""
