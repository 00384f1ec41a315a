"""Explanations of a cell: how its value and gradient arise, and the effects of changing it."""
