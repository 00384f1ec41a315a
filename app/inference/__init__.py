"""Scenario -> Trace: the forward pass that a scenario asks for."""
