"""The pass as a script that prints the page's numbers, in NumPy or in PyTorch."""
