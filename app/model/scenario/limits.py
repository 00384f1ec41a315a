"""Limits on the size of a scenario."""

MAX_TOKENS = 64  # per side, or in a typed vocabulary
MAX_TOKEN_LENGTH = 24
MAX_EDITS = 20_000  # edited cells; a tab does not keep more, nor does a link hold more
MAX_VALUE = 1000.0  # the largest magnitude that a cell can be set to
MAX_KEPT_NUMBERS = 100_000  # learned parameters that a tab keeps; a larger model is trained again
