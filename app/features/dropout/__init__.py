"""Shows dropout: its rates, its masks, and the sites where it is applied."""
