"""The lens: what the model would say if it stopped at an earlier depth (nostalgebraist, 2020).

The final norm, where there is one, and the output's weights are applied to the residual stream as
it is after each sublayer.
"""

from __future__ import annotations

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer
from transformer_math.ops.softmax import SOFTMAX


def stream(trace: Trace, stack: str) -> list[str]:
    """The residual stream of a stack, from what enters it to what leaves it, by paths.

    With pre-norm it is the sums, with post-norm what the norms after them give.
    """
    side = "source" if stack == "encoder" else "target"
    found = [f"{side}.dropout"]
    after = "norm" if not _is_pre_norm(trace, stack) else "residual"
    found += [
        path
        for path in trace.paths()
        if path.startswith(f"{stack}.")
        and path.split(".")[1].isdigit()
        and path.rpartition(".")[2] == after
    ]
    return found


def lens(model: Transformer, trace: Trace, stack: str = "decoder") -> dict[str, np.ndarray]:
    """Path -> (…, n, vocabulary), the probabilities that the output would read off it.

    The last one is the output itself.

    Args:
        model: of the pass.
        trace: with its own parameters, overridden ones among them.
        stack: ``decoder``, or ``encoder`` for a model that has nothing else.

    Raises:
        ValueError: the output does not read this stack.
    """
    reads = "decoder" if model.config.decoder_layers else "encoder"
    if stack != reads:
        raise ValueError(f"The output of this model reads the {reads}.")
    logits = trace["output.logits"]
    _, *weights = logits.inputs
    norm = trace.tensors.get(f"{stack}.final.norm")
    found = {}
    for path in stream(trace, stack):
        x = trace[path].value
        if norm is not None:
            x = norm.op.forward(x, *[each.value for each in norm.inputs[1:]])
        read = logits.op.forward(x, *[each.value for each in weights])
        found[path] = SOFTMAX.forward(read)
    return found


def _is_pre_norm(trace: Trace, stack: str) -> bool:
    """Whether a sublayer's norm comes before it: then nothing reads its sum but what follows."""
    first = f"{stack}.0.self_attn"
    norm = trace.tensors.get(f"{first}.norm")
    residual = trace.tensors.get(f"{first}.residual")
    return norm is not None and residual is not None and residual not in norm.inputs
