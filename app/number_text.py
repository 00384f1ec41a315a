"""Numbers and lists in sentences, and numbers as people type them.

Numbers have a real minus sign, and none if they are printed as 0.
"""

from collections.abc import Sequence


def fixed(x: float, digits: int) -> str:
    """A number with this count of digits after the point: ``−0.25``, and ``0.00`` for −0.001."""
    return real_minus(f"{x:z.{digits}f}")


def signed(x: float, digits: int) -> str:
    """A change with its sign: ``+0.25``, ``−0.25``, and ``+0.00`` for −0.001."""
    return real_minus(f"{x:+z.{digits}f}")


def counted(count: int, noun: str) -> str:
    """A number with its noun: ``1 step``, ``2 steps``, ``1,000 steps``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def real_minus(text: str) -> str:
    """A formatted number with real minus signs."""
    return text.replace("-", "−")


def plain_number(text: str) -> str:
    """A number as people type it, in the form that ``float`` parses: ``−0,5`` becomes ``-0.5``."""
    return text.strip().replace("−", "-").replace(",", ".")


def joined(parts: Sequence[str]) -> str:
    """The parts of a list: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
