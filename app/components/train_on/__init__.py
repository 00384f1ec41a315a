"""The choice of what the page's model is trained on."""
