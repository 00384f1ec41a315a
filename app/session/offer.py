"""A message with an action that the user can take."""

from typing import NamedTuple

AFRESH, UNDO = "afresh", "undo"  # the actions


class Offer(NamedTuple):
    """A message with an action that the user can take: ``AFRESH`` or ``UNDO``."""

    text: str
    what: str
