"""Parses lessons, evaluates their checks on live numbers, and sets up the state of a step."""
