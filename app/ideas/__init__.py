"""Pictures that each explain one idea: what they are, and what they are computed from."""
