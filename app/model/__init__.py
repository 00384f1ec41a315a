"""The model on the page: the user's choices, the forward pass, and its matrices."""
