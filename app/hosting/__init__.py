"""A server of the page for many: its guards, its signs of life, how its files are sent."""
