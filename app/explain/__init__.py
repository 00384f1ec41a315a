"""Explanations of a cell: how its value and gradient arise, and what would follow."""
