"""The arithmetic of a cell's value and of its gradient, in symbols and in numbers."""

from transformer_math.explain.gradient import explain_gradient, gradient_cell
from transformer_math.explain.value import explain

__all__ = ["explain", "explain_gradient", "gradient_cell"]
