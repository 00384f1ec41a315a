"""What can be taken away from the page as a file, and the model brought back. Pure: no panel."""
