"""Films: scenes that play automatically, with captions computed from the model's numbers."""
