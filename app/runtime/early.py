"""What a page may say before it is there: it waits, and not without end.

Whoever writes to the socket and never says that the page is there would have all of it kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ..refusals import tell

if TYPE_CHECKING:
    from bokeh.document import Document

MOST_MESSAGES = 200
MOST_LETTERS = 16 << 20  # of all of them; what a tab kept is by far the largest

_waiting: WeakKeyDictionary[Document, tuple[int, int]] = WeakKeyDictionary()


def may_wait(document: Document, data: object) -> bool:
    """Whether there is room for another message of this page; it counts from then on."""
    messages, letters = _waiting.get(document, (0, 0))
    messages, letters = messages + 1, letters + len(repr(data))
    if messages > MOST_MESSAGES or letters > MOST_LETTERS:
        tell("more than waits for a page to be there")
        return False
    _waiting[document] = messages, letters
    return True
