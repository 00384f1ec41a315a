"""Draws words as points in a plane."""
