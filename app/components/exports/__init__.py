"""What can be taken away as a file."""
