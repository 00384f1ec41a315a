"""The names of the models to choose from, as links and sessions have them."""

SANDBOX, DATES, PAPER, FILE = "sandbox", "dates", "paper-base", "file"
TABLE, POSITIONS = "document-table", "document-positions"
# What can be chosen by its name; a model out of a file cannot.
NAMES = (SANDBOX, DATES, PAPER, TABLE, POSITIONS)
