"""The order of user actions relative to earlier changes."""

from enum import IntEnum


class Order(IntEnum):
    """The earlier changes that an action waits for, from the fewest to the most.

    Attributes:
        ASIDE: sent by the browser itself, unordered relative to the user's actions.
        LOOK: changes no number and no token, and does not wait for changes in progress.
        OVER: replaces the computation in progress.
        ON_TOP: changes numbers on top of those being computed.
        ALWAYS: valid whatever the page shows.
        OF_SHOWN: refused if the shown model or rows have changed since the user acted.
    """

    ASIDE = 0
    LOOK = 1
    OVER = 2
    ON_TOP = 3
    ALWAYS = 4
    OF_SHOWN = 5
