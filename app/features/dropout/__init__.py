"""Dropout: its rates, its masks, and where it is applied."""
