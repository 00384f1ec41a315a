"""The order of user actions relative to earlier changes."""

from enum import IntEnum


class Order(IntEnum):
    """The earlier changes for which an action waits, from the fewest to the most.

    Attributes:
        ASIDE: sent without an action of the user, and unordered relative to the user's actions.
        LOOK: changes no number and no token, and does not wait for changes in progress.
        OVER: replaces the computation in progress.
        ON_TOP: changes numbers after changes that are being computed.
        ALWAYS: valid for everything that the page may show.
        OF_SHOWN: refused if the shown model or rows have changed since the user acted.
    """

    ASIDE = 0
    LOOK = 1
    OVER = 2
    ON_TOP = 3
    ALWAYS = 4
    OF_SHOWN = 5
