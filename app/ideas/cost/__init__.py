"""Draws the cost of a layer, and the number of parameters by matrix."""
