"""Formats numbers and lists in sentences, and converts typed numbers.

Formatted numbers have a real minus sign, and no sign if they are printed as 0.
"""

from collections.abc import Sequence


def fixed(x: float, digits: int) -> str:
    """Return a number with some digits after the point: ``−0.25``, and ``0.00`` for −0.001."""
    return real_minus(f"{x:z.{digits}f}")


def signed(x: float, digits: int) -> str:
    """Return a change with its sign: ``+0.25``, ``−0.25``, and ``+0.00`` for −0.001."""
    return real_minus(f"{x:+z.{digits}f}")


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 step``, ``2 steps``, ``1,000 steps``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def real_minus(text: str) -> str:
    """Replace the hyphens in a formatted number by real minus signs."""
    return text.replace("-", "−")


def plain_number(text: str) -> str:
    """Convert a typed number to the form that ``float`` parses: ``−0,5`` becomes ``-0.5``."""
    return text.strip().replace("−", "-").replace(",", ".")


def joined(parts: Sequence[str]) -> str:
    """Join the parts of a list: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
