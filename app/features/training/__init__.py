"""The controls and progress of training the page's model."""
