"""What is done on a page, carried out in the order in which it was done."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ...order import Order
from .carried import Carried
from .said import Said
from .status import NoModel, PageStatus

_LOG = logging.getLogger(__name__)

MOST_WAITING = 200  # things that were done and are not answered

GONE = "What this was for is not on the page any more: it was not done."
OTHER = "This was meant for what the page showed before: it was not done."
FAILED = "Something went wrong in the program: this was not done."
TOO_MANY = "The page is still at work on what was done before: this was not done."
APART = "This page had missed something; now it shows all that its program has."


class Page(Protocol):
    """The page, as far as what is done on it concerns the whole of it."""

    def do(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event: at once, or after the event that is handled."""

    def note(self, kind: str, number: int, content: Mapping[str, Any]) -> None:
        """Something to be said to the browser when the turn ends."""

    def missed(self, held: Mapping[str, Any]) -> bool:
        """Whether the browser lacks something that it was told."""


class Inbox:
    """Messages of one page: each is carried out once, and answered when all of it is there.

    What changes numbers or words waits while another such change is being computed, and so does
    all that was done after it.

    Attributes:
        status: of the page.
    """

    def __init__(self, find: Callable[[int], Carried | None], page: Page) -> None:
        """No message yet.

        Args:
            find: gives what stands on the page under a number.
            page: the page.
        """
        self.status: PageStatus = NoModel()
        self._find, self._page = find, page
        self._heard = 0  # the number of the last message
        self._waiting: deque[Said] = deque()  # for what is being computed
        self._done: list[tuple[int, str]] = []  # carried out, and something of it is yet to come
        self._answers: list[list[Any]] = []
        self._is_listening = False  # for all that is being computed to be there

    def answers(self) -> list[list[Any]]:
        """Numbers of messages that are done, each with why it was refused; given once."""
        answers, self._answers = self._answers, []
        return answers

    def take(self, message: Said) -> None:
        """Carry out a message in its turn, unless it was carried out before."""
        if message.number:
            if message.number <= self._heard:
                return
            self._heard = message.number
        if message.kind == "compare":
            is_apart = self._page.missed(message.content)
            self._answer(message.number, self._told(APART) if is_apart else "")
        elif self._order_of(message) is Order.ASIDE:
            self._answer(message.number, self._carried_out(message))
        elif len(self._waiting) + len(self._done) >= MOST_WAITING:
            self._answer(message.number, self._refused(message, TOO_MANY))
        else:
            self._waiting.append(message)
            self._go_on()

    def _go_on(self) -> None:
        """Carry out what waits, as far as it may be, and answer what is all there."""
        while self._waiting and self._may_be_done(self._waiting[0]):
            message = self._waiting.popleft()
            self._done.append((message.number, self._carried_out(message)))
        if self.status.is_ready():
            why = self.status.refusal()  # of what was computed
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

    def _order_of(self, message: Said) -> Order:
        thing = self._find(message.to)
        return Order.LOOK if thing is None else thing.order_of(message.content)

    def _may_be_done(self, message: Said) -> bool:
        return self.status.is_ready(self._order_of(message))

    def _carried_out(self, message: Said) -> str:
        """Do what is said; gives the sentence that says why it was not done."""
        thing = self._find(message.to)
        if thing is None:
            return self._refused(message, GONE) if message.number else ""
        if self._order_of(message) is Order.OF_SHOWN and not self._is_of_shown(thing, message):
            return self._refused(message, OTHER)
        self.status.refusal()  # of what was done before
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

    def _is_of_shown(self, thing: Carried, message: Said) -> bool:
        is_same_model = message.model in (None, self.status.model)
        return is_same_model and (message.seen is None or thing.shows_since(message.seen))

    def _refused(self, message: Said, sentence: str) -> str:
        thing = self._find(message.to)
        if message.kind == "set" and thing is not None:  # the browser has it as it was set
            names = [name for name in message.content if name in thing.watched]
            self._page.note("set", thing.number, {name: thing.value(name) for name in names})
        return self._told(sentence)

    def _told(self, sentence: str) -> str:
        self.status.say(sentence)
        return sentence
