"""What a thing that a person does has to wait for, and whether it is of what the page shows."""

from __future__ import annotations

from enum import IntEnum


class Order(IntEnum):
    """How what a browser says stands to what was said before it; the last one waits for most.

    Attributes:
        ASIDE: the browser says it by itself, in no order with what a person does.
        LOOK: it changes no number and no word, and does not wait for changes under way.
        OVER: it takes the place of what is being computed.
        ON_TOP: it is made on top of numbers that are being computed.
        ALWAYS: it is meant whatever the page shows.
        OF_SHOWN: it is meant for the model and the rows that the page shows, and refused by others.
    """

    ASIDE = 0
    LOOK = 1
    OVER = 2
    ON_TOP = 3
    ALWAYS = 4
    OF_SHOWN = 5
