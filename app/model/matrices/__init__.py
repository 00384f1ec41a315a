"""The shown data of a matrix: address, values, gradients, sweeps, and windows on large matrices."""
