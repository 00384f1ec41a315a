"""Experiments on trained models; each result is again a scenario."""
