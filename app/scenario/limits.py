"""How much a scenario may hold."""

MAX_TOKENS = 64  # on one side, or of a vocabulary that is typed
MAX_TOKEN_LENGTH = 24
MAX_VALUE = 1000.0  # what a cell can be set to, on either side of 0
