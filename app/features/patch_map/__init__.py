"""The patch map: the places that carry the answer of the baseline."""
