"""The names of the models to choose from, as links and sessions have them."""

SANDBOX, DATES, PAPER, BIG, FILE = "sandbox", "dates", "paper-base", "paper-big", "file"
TABLE, POSITIONS, LECTURE = "document-table", "document-positions", "document-lecture"
# What can be chosen by its name; a model out of a file cannot.
NAMES = (SANDBOX, DATES, PAPER, BIG, TABLE, POSITIONS, LECTURE)
