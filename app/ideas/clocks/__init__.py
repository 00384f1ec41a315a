"""Draws positions as hands of clocks."""
