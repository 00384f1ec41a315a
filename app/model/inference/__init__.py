"""Runs the forward pass that a scenario describes (Scenario -> Trace)."""
