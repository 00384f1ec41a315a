"""Figure 1 of the paper as a map."""
