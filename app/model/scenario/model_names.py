"""The names of the selectable models, as they appear in links and saved sessions."""

PHRASES, DATES, OWN = "phrases", "dates", "own-pairs"
NEXT_WORD, BLANKS = "next-word", "blanks"  # models with one stack
TRAINED = (PHRASES, DATES, NEXT_WORD, BLANKS)  # models trained on data sets of the same names
SANDBOX, PAPER, BIG, FILE = "sandbox", "paper-base", "paper-big", "file"
SERVED = "served"  # the model supplied by the server's owner
TABLE, POSITIONS, LECTURE = "document-table", "document-positions", "document-lecture"
# Models that can be selected by name; one loaded from a file or trained on the user's pairs cannot.
NAMES = (*TRAINED, SANDBOX, PAPER, BIG, TABLE, POSITIONS, LECTURE)
