"""Whether the random tests run for long; CONTRIBUTING describes how to start them."""

from hypothesis import settings

IS_LONG = settings().max_examples > 1_000  # by the profile in tests/conftest.py
