"""Prepares films: scenes that play automatically, with captions from the model's numbers."""
