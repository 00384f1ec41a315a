"""Whether the random tests run long; CONTRIBUTING states the command for it."""

from hypothesis import settings

IS_LONG = settings().max_examples > 1_000  # the profile in tests/conftest.py sets it
