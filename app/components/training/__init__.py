"""Training the model of the page: its buttons and its progress, in the frame of the page."""
