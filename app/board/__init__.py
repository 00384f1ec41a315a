"""The board: the picture of the model, with its numbers, links and labels."""
