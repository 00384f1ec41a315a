"""The switch between models."""
