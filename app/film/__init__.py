"""Films: scenes that play by themselves, with captions computed from the model's numbers."""
