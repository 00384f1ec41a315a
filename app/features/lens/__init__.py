"""The logit lens: the tokens that each depth predicts."""
