"""Draws queries, keys and values as arrows."""
