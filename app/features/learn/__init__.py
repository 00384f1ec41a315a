"""Shows the Train room: a run, its curves and examples, and the choice of its data."""
