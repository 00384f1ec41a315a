"""The likeliest next words."""
