"""Dares: measures the changes of an attempt, checks that they are allowed, and tests the goal."""
