"""What is pulled, beside the view or above it: the effort, and the numbers that move."""
