"""How much a scenario may hold."""

MAX_TOKENS = 64  # on one side, or of a vocabulary that is typed
MAX_TOKEN_LENGTH = 24
MAX_EDITS = 20_000  # numbers that are set; more are neither kept by a tab nor held by a link
MAX_VALUE = 1000.0  # what a cell can be set to, on either side of 0
MAX_KEPT_NUMBERS = 100_000  # learned ones, by a tab; more are trained again
