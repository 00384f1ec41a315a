"""Draws layer norm of a row, step by step."""
