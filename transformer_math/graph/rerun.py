"""The same pass again with other leaves, through the very ops that its trace kept.

The steps of a training differ in their ids and in the parameters' values alone: what is computed
from what stays as it is. For a small model it takes longer to find that out anew than to compute.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from transformer_math.graph.trace import Trace

_FORGOTTEN = np.empty(0)


def rerun(trace: Trace, given: Mapping[str, np.ndarray]) -> None:
    """Put leaves in place and compute everything anew; the trace then has the new values.

    Nothing may be overridden in the pass. Parameters are read as they are now.

    Args:
        trace: the pass.
        given: path -> array of the leaves that are others now, each of the shape that it had.
    """
    for path, array in given.items():
        trace.tensors[path].value = array
    for tensor in trace.tensors.values():
        if tensor.inputs:
            tensor.value = tensor.op.forward(*[source.value for source in tensor.inputs])


def forget(trace: Trace) -> None:
    """Let go of every computed value, to keep between two runs no more than how they arise."""
    for tensor in trace.tensors.values():
        if tensor.inputs:
            tensor.value = _FORGOTTEN
