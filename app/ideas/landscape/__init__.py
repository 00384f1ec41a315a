"""Draws the loss as a landscape over two directions, with the model's place in it."""
