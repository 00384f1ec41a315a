"""Limits on the size of a scenario."""

MAX_TOKENS = 64  # per side, or in a typed vocabulary
MAX_TOKEN_LENGTH = 24
MAX_EDITS = 20_000  # edited cells; the limit of a tab and of a link
MAX_VALUE = 1000.0  # largest magnitude that a cell can be set to
MAX_KEPT_NUMBERS = 100_000  # learned parameters kept by a tab; larger models are retrained
