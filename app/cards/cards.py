"""Serves the cards of links, within limits for the process.

Beyond a limit, a link gets the general card, which is not computed; the page still opens.
"""

import time
from collections.abc import Awaitable, Callable

from .card import Card, card_of
from .limits import Budget, LastUsed
from .picture import can_be_drawn, general

CARDS_A_MINUTE = 120  # usually 2 to 30 ms each, at most 100 ms
PICTURES_A_MINUTE = 60  # about 20 ms each, in a thread
KEPT_CARDS = 500  # about 2 KB each
KEPT_PICTURES = 100  # 8 to 20 KB each
MOST_AT_ONCE = 4  # pictures drawn at the same time

Draw = Callable[[Card], Awaitable[bytes]]


class Cards:
    """Reads links and draws their pictures; caches both."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._cards: LastUsed[str, Card] = LastUsed(KEPT_CARDS)
        self._pictures: LastUsed[Card, bytes] = LastUsed(KEPT_PICTURES)
        self._reading = Budget(CARDS_A_MINUTE, clock)
        self._drawing = Budget(PICTURES_A_MINUTE, clock)
        self._at_once = 0

    def card(self, code: str) -> Card:
        """Return the card of a link; the general card beyond a limit."""
        if not code:
            return Card()
        found = self._cards.get(code)
        if found is None:
            if not self._reading.spend():
                return Card()
            found = card_of(code)
            self._cards.keep(code, found)
        return found

    async def picture(self, code: str, draw: Draw) -> bytes:
        """Return a link's picture as PNG, made by ``draw``; the general picture beyond a limit."""
        card = self.card(code)
        if card.is_general or not can_be_drawn(card):
            return general()
        kept = self._pictures.get(card)
        if kept is not None:
            return kept
        if self._at_once >= MOST_AT_ONCE or not self._drawing.spend():
            return general()
        self._at_once += 1
        try:
            picture = await draw(card)
        finally:
            self._at_once -= 1
        self._pictures.keep(card, picture)
        return picture
