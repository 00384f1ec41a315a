"""Checks that a pass is of one text, which explanations and experiments require."""

from __future__ import annotations

from transformer_math.checks import described
from transformer_math.graph.trace import Trace


def check_one_text(trace: Trace, name: str = "trace") -> None:
    """Check that a pass, the argument of this name, is of one example.

    Raises:
        ValueError: the pass is a batch or a sweep.
    """
    if not isinstance(trace, Trace):
        raise ValueError(f"{name} is a Trace, as model(…) returns it, not {described(trace)}.")
    if trace.leading:
        one = "frame" if trace.leading[0] == "sweep" else "example"
        raise ValueError(
            f"{name} is the pass of one text, and this one is a {trace.leading[0]}: take "
            f"{name}.{one}(0)."
        )
