"""What is in focus on the page, as a step of undo keeps it."""

from __future__ import annotations

from typing import NamedTuple

from .page_location import Followed


class Focus(NamedTuple):
    """What was in focus when a step was left.

    Attributes:
        word: the followed word; behind a selected number, the word that Escape gives back.
        is_number: whether a selected number was in focus, and not the word.
    """

    word: Followed | None = None
    is_number: bool = False
