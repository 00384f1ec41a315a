"""What is shown of a matrix: address, values, gradients, sweeps, and windows on large matrices."""
