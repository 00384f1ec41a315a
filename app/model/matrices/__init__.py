"""What a matrix shows: its address, values, gradients, sweeps, and windows on large ones."""
