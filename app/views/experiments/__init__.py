"""Measure: experiments on a trained model, one section each, in the drawer."""
