"""What a computation costs, in multiply-adds, and how much of it may run where.

A pass multiplies each parameter with each token about once. What depends on the sizes alone is
counted without computing anything, so it can be asked before every change.
"""

from __future__ import annotations

from ..scenario.scenario import Scenario

# Multiply-adds that may run on the event loop, where all pages of a process wait: about 20 ms.
INLINE = 50_000_000

# Of gradients, which come with every selected cell: about 0.1 s.
INLINE_GRADIENTS = 300_000_000

# Multiply-adds that run unasked, in a thread, about half a second: for more the reader is asked.
UNASKED = 1_000_000_000

BACKWARD = 2  # passes that backpropagation costs on top of the forward pass


def forward_pass(scenario: Scenario) -> int:
    """Multiply-adds of one forward pass over the scenario's tokens."""
    tokens = len(scenario.source) + len(scenario.target)
    return scenario.config.parameter_count() * tokens


def fits_inline(multiply_adds: int) -> bool:
    """Whether this may run on the event loop."""
    return multiply_adds <= INLINE


def fits_unasked(multiply_adds: int) -> bool:
    """Whether this may run in a thread without asking the reader."""
    return multiply_adds <= UNASKED


def has_cheap_gradients(scenario: Scenario) -> bool:
    """Whether a forward pass and backpropagation through it may run with every selection."""
    return (1 + BACKWARD) * forward_pass(scenario) <= INLINE_GRADIENTS


def is_large(scenario: Scenario) -> bool:
    """Whether a single pass of this scenario is too long for the event loop."""
    return not fits_inline(forward_pass(scenario))
