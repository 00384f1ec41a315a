"""Shows the controls and progress of training the page's model."""
