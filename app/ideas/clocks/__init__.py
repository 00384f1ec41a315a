"""Positions as hands of clocks."""
