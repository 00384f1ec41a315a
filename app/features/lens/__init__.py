"""Shows the logit lens: the tokens predicted at each depth."""
