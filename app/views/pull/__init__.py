"""The line that pulls an answer: by every number, by a few, or by one alone."""
