"""Draws the chain rule at one number."""
