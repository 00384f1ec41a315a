"""Whether what is drawn at random is to be drawn for long: CONTRIBUTING says how."""

from hypothesis import settings

IS_LONG = settings().max_examples > 1_000  # the profile of that name, see tests/conftest.py
