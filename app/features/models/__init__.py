"""Switches between models."""
