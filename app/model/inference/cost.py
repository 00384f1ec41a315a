"""The cost of a computation in multiply-adds, and the limits on where it may run.

A forward pass needs about one multiply-add for each parameter and token. The count depends only on
sizes, so it is known before the computation.
"""

from typing import Literal

from ..scenario.scenario import Scenario

# Limit for work on the event loop, which all pages of a process share: about 20 ms.
INLINE = 50_000_000

# Limit for gradients, which are recomputed with every selected cell: about 0.1 s.
INLINE_GRADIENTS = 300_000_000

# Limit for work that starts in a thread without asking the user: about 0.5 s.
UNASKED = 1_000_000_000

PASSES = 10  # many small passes take this many times as long as one with equal multiply-adds

BACKWARD = 2  # backpropagation costs about two forward passes


def forward_pass(scenario: Scenario) -> int:
    """Return the multiply-adds of one forward pass over the scenario's tokens."""
    tokens = len(scenario.source) + len(scenario.target)
    return scenario.config.parameter_count() * tokens


def fits_inline(multiply_adds: int) -> bool:
    """Return whether work of this cost may run on the event loop."""
    return multiply_adds <= INLINE


def fits_unasked(multiply_adds: int) -> bool:
    """Return whether work of this cost may run in a thread without asking the user."""
    return multiply_adds <= UNASKED


def level(multiply_adds: float, *, passes: bool = False) -> Literal["cheap", "slow", "large"]:
    """Return the level of a cost, which decides where the work runs (``runtime.derived.Cost``).

    Many small ``passes`` take longer than one pass with as many multiply-adds.
    """
    if multiply_adds * (PASSES if passes else 1) <= INLINE:
        return "cheap"
    return "slow" if multiply_adds <= UNASKED else "large"


def has_cheap_gradients(scenario: Scenario) -> bool:
    """Return whether a forward and a backward pass are cheap enough to run with every selection."""
    return (1 + BACKWARD) * forward_pass(scenario) <= INLINE_GRADIENTS


def is_large(scenario: Scenario) -> bool:
    """Return whether a single forward pass takes too long for the event loop."""
    return not fits_inline(forward_pass(scenario))
