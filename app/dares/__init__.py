"""Judges attempts at dares: measures and checks their changes, and tests the goal."""
