"""Whether a pass is of one text, which explanations and experiments ask for."""

from __future__ import annotations

from transformer_math.graph.trace import Trace


def check_one_text(trace: Trace) -> None:
    """Check that a pass is of one example.

    Raises:
        ValueError: it is a batch or a sweep.
    """
    if not isinstance(trace, Trace):
        raise ValueError(f"The pass is a trace, which model(…) returns, not {trace!r:.60}.")
    if trace.leading:
        one = "frame" if trace.leading[0] == "sweep" else "example"
        raise ValueError(
            f"One text is asked for, and this pass is a {trace.leading[0]}: take trace.{one}(0)."
        )
