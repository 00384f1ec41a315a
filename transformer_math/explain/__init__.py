"""A cell's arithmetic, in symbols and in numbers."""

from transformer_math.explain.value import explain

__all__ = ["explain"]
