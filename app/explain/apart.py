"""Writes two numbers side by side, with enough digits to show their difference."""

from collections.abc import Callable

MOST_DIGITS = 6  # further digits are rounding errors of single precision
COLUMN_DIGITS = 3  # of probabilities below each other, as beside the bars of next words


def moved(was: float, now: float, said: Callable[[float, int], str], least: int) -> str:
    """Format two numbers, ``.878 → .884``, with ``least`` digits, or more to show a difference."""
    pairs = ((said(was, digits), said(now, digits)) for digits in range(least, MOST_DIGITS + 1))
    fewest = next(pairs)
    return " → ".join(next((pair for pair in (fewest, *pairs) if pair[0] != pair[1]), fewest))


def share(x: float, digits: int = 2) -> str:
    """Format a probability without the zero before its decimals: ``.85``."""
    return f"{x:.{digits}f}".removeprefix("0")


def moved_share(was: float, now: float) -> str:
    """Format a probability before and after a change: ``.84 → .77``."""
    return moved(was, now, share, 2)


def moved_in_column(was: float, now: float) -> str:
    """Format a probability before and after a change for a column, which has one precision."""
    return f"{share(was, COLUMN_DIGITS)} → {share(now, COLUMN_DIGITS)}"
