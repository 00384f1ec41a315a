"""The names of the models to choose from, as links and sessions have them."""

PHRASES, DATES, OWN = "phrases", "dates", "own-pairs"
SANDBOX, PAPER, BIG, FILE = "sandbox", "paper-base", "paper-big", "file"
SERVED = "served"  # the one of its own that this page is served with
TABLE, POSITIONS, LECTURE = "document-table", "document-positions", "document-lecture"
# What can be chosen by its name; a model out of a file or of pairs of one's own cannot.
NAMES = (PHRASES, DATES, SANDBOX, PAPER, BIG, TABLE, POSITIONS, LECTURE)
