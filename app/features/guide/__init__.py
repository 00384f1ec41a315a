"""Introduces the page briefly, with things to try."""
