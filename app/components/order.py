"""How a user action is ordered relative to earlier changes, and when it is out of date."""

from enum import IntEnum


class Order(IntEnum):
    """The changes that an action has to wait for, in increasing order.

    Attributes:
        ASIDE: sent by the browser itself, unordered relative to the user's actions.
        LOOK: changes no number and no token, and does not wait for changes in progress.
        OVER: replaces the computation in progress.
        ON_TOP: changes numbers on top of those being computed.
        ALWAYS: valid whatever the page shows.
        OF_SHOWN: valid only for the model and the rows shown when the user acted, else refused.
    """

    ASIDE = 0
    LOOK = 1
    OVER = 2
    ON_TOP = 3
    ALWAYS = 4
    OF_SHOWN = 5
