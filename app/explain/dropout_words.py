"""Describes the effect of dropout on the shown pass."""

from transformer_math import Trace
from transformer_math.ops.elementwise import Dropout

from ..model.matrices.dropped import dropped
from ..model.scenario.scenario import Scenario


def dropout_sentence(scenario: Scenario, trace: Trace) -> str:
    """State how many numbers dropout sets to 0, and how others change; empty without dropout."""
    found = dropped(trace) if scenario.training else None
    if found is None or not found.of:
        return ""
    rates = {tensor.op.rate for tensor in trace.tensors.values() if isinstance(tensor.op, Dropout)}
    by = "1 − p, by the rate p of each site"
    if len(rates) == 1:
        by = f"{1 - rates.pop():.6g}"
    said = (
        f"Dropout sets {found.dropped:,} of {found.of:,} numbers to 0 at random and divides the "
        f"others by {by}"
    )
    # See `inference.writing`: a model writes without dropout.
    reads = (
        "; the decoder reads the words written without dropout" if scenario.writes_itself else ""
    )
    return f"{said}{reads}."
