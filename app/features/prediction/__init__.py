"""Shows the likeliest next words."""
