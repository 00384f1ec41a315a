"""Numbers in sentences: with a real minus sign, and none before a number that is printed as 0."""


def fixed(x: float, digits: int) -> str:
    """A number with this count of digits after the point: ``−0.25``, and ``0.00`` for −0.001."""
    return f"{x:z.{digits}f}".replace("-", "−")


def signed(x: float, digits: int) -> str:
    """A change with its sign: ``+0.25``, ``−0.25``, and ``+0.00`` for −0.001."""
    return f"{x:+z.{digits}f}".replace("-", "−")


def counted(count: int, noun: str) -> str:
    """A number with its noun: ``1 step``, ``2 steps``, ``1,000 steps``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"
