"""Chooses the default row of a picture."""

from transformer_math import Trace

from ..model.matrices.telling_word import telling_word


def row_in_focus(trace: Trace, stack: str, count: int, followed: tuple[str, int] | None) -> int:
    """Return the row of the followed word, else of the most telling word, else 0.

    ``followed`` is the stack of the followed word, ``encoder`` or ``decoder``, and its position.
    """
    if followed is not None and followed[0] == stack:
        return min(followed[1], count - 1)
    telling = telling_word(trace, max(1, count - 1))
    if telling is not None and telling.stack == stack:
        return min(telling.position, count - 1)
    return 0
