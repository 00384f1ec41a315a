"""Explains a cell: the origin of its value and gradient, and the effects of changing it."""
