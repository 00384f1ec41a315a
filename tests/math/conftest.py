"""Hypothesis without a clock and without dice: a slow machine or an unlucky day fails no test."""

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")
