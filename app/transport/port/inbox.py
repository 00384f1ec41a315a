"""Applies the user's actions in the order in which they were made."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...components.order import Order
from .browser_message import BrowserMessage
from .carried import Carried
from .status import NoModel, PageStatus

if TYPE_CHECKING:
    from .port_page import PortPage

_LOG = logging.getLogger(__name__)

MOST_WAITING = 200  # maximum number of unanswered actions

GONE = "This was not done, because its target is no longer on the page."
OTHER = "This was not done, because the page shows something else now."
FAILED = "This was not done, because of an error in the program."
TOO_MANY = "This was not done, because the page is still busy with an earlier change."
APART = "This page missed a message; now it is up to date."


class Inbox:
    """The messages of one page: each is applied once, and answered when its results are complete.

    A message that changes numbers or tokens waits while an earlier change of them is computed, and
    all later messages wait for it.
    """

    def __init__(self, find: Callable[[int], Carried | None], page: PortPage) -> None:
        """Create an empty inbox; ``find`` returns the component with a number, or None."""
        self.status: PageStatus = NoModel()
        self._find, self._page = find, page
        self._heard = 0  # the number of the last message received
        self._waiting: deque[BrowserMessage] = deque()  # until a running computation ends
        self._done: list[tuple[int, str]] = []  # applied, but some results are pending
        self._answers: list[list[Any]] = []
        self._is_listening = False  # whether `when_settled` will call back

    def answers(self) -> list[list[Any]]:
        """Return new answers: each message's number with its refusal, or with an empty text."""
        answers, self._answers = self._answers, []
        return answers

    def take(self, message: BrowserMessage) -> None:
        """Apply a message in its order, unless it was received before."""
        if message.number:
            if message.number <= self._heard:
                return
            self._heard = message.number
        if message.kind == "compare":
            is_apart = self._page.missed(message.content)
            self._answer(message.number, self._shown(APART) if is_apart else "")
        elif self._order_of(message) is Order.ASIDE:
            self._answer(message.number, self._carried_out(message))
        elif len(self._waiting) + len(self._done) >= MOST_WAITING:
            self._answer(message.number, self._refused(message, TOO_MANY))
        else:
            self._waiting.append(message)
            self._go_on()

    def _go_on(self) -> None:
        """Apply waiting messages as far as possible, and answer complete messages."""
        while self._waiting and self._may_be_done(self._waiting[0]):
            message = self._waiting.popleft()
            self._done.append((message.number, self._carried_out(message)))
        if self.status.is_ready():
            why = self.status.refusal()  # why the computed change failed
            for number, refused in self._done:
                self._answer(number, refused or why)
            self._done.clear()
        elif not self._is_listening:
            self._is_listening = True
            self.status.when_settled(lambda: self._page.do(self._settled))

    def _settled(self) -> None:
        self._is_listening = False
        self._go_on()

    def _answer(self, number: int, refused: str) -> None:
        if number:
            self._answers.append([number, refused])

    def _order_of(self, message: BrowserMessage) -> Order:
        thing = self._find(message.to)
        return Order.LOOK if thing is None else thing.order_of(message.content)

    def _may_be_done(self, message: BrowserMessage) -> bool:
        return self.status.is_ready(self._order_of(message))

    def _carried_out(self, message: BrowserMessage) -> str:
        """Apply a message; return the reason for a refusal, or an empty text."""
        thing = self._find(message.to)
        if thing is None:
            return self._refused(message, GONE) if message.number else ""
        if self._order_of(message) is Order.OF_SHOWN and not self._is_of_shown(thing, message):
            return self._refused(message, OTHER)
        self.status.refusal()  # discards the refusal of an earlier message
        self.status.at(message.at)
        try:
            is_set = message.kind == "set"
            refused = thing.accept(message.content) if is_set else thing.receive(message.content)
        except Exception:
            _LOG.exception("What was done on the page failed")
            return self._refused(message, FAILED)
        finally:
            self.status.at(None)
        if refused and refused != getattr(thing.placed, "problem", ""):
            self.status.say(refused)
        return refused or self.status.refusal()

    def _is_of_shown(self, thing: Carried, message: BrowserMessage) -> bool:
        is_same_model = message.model in (None, self.status.model)
        seen, content = message.seen, message.content
        return is_same_model and (seen is None or thing.shows_since(seen, content))

    def _refused(self, message: BrowserMessage, sentence: str) -> str:
        thing = self._find(message.to)
        if message.kind == "set" and thing is not None:  # undo it in the browser
            names = [name for name in message.content if name in thing.watched]
            self._page.note("set", thing.number, {name: thing.value(name) for name in names})
        return self._shown(sentence)

    def _shown(self, sentence: str) -> str:
        self.status.say(sentence)
        return sentence
