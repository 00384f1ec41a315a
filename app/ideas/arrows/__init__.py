"""Queries, keys and values as arrows."""
