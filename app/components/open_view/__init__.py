"""Tells the page's layout what is open."""
