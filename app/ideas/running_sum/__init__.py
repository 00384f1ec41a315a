"""Draws a logit as a running sum along the residual stream."""
