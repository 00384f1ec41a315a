"""The logit lens: the model's predictions from earlier layers (nostalgebraist, 2020).

The final norm, if there is one, and all of the output are applied to the residual stream after each
sublayer.
"""

from __future__ import annotations

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_choice
from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer
from transformer_math.ops.softmax import SOFTMAX

# The tensors of the output layer, in order; all but the logits belong to ``output_transform``.
OUTPUT = ("output.hidden", "output.activation", "output.norm", "output.logits")


@checked()
def stream(trace: Trace, stack: str) -> list[str]:
    """Return the paths of the residual stream of a stack, from its input to its output.

    With pre-norm these are the sums of the residual connections; with post-norm, their norms.

    Args:
        trace: a pass.
        stack: ``encoder`` or ``decoder``.
    """
    check_choice("stack", stack, ("encoder", "decoder"))
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


@checked()
def lens(model: Transformer, trace: Trace, stack: str = "decoder") -> dict[str, np.ndarray]:
    """Return the probabilities that the output layer gives for each tensor of the residual stream.

    The last probabilities are the model's own output.

    Args:
        model: the model.
        trace: one of its passes, whose parameters are used, with their overrides.
        stack: ``decoder``, or ``encoder`` for an encoder-only model.

    Returns:
        Path -> (…, n, vocabulary).

    Raises:
        ValueError: the output does not read this stack.
    """
    reads = "decoder" if model.config.decoder_layers else "encoder"
    check_choice("stack", stack, (reads,))
    readers = [
        tensor
        for path in (f"{stack}.final.norm", *OUTPUT)
        if (tensor := trace.tensors.get(path)) is not None
    ]
    found = {}
    for path in stream(trace, stack):
        x = trace[path].value
        for reader in readers:
            x = reader.op.forward(x, *[each.value for each in reader.inputs[1:]])
        found[path] = SOFTMAX.forward(x)
    return found


def _is_pre_norm(trace: Trace, stack: str) -> bool:
    """Return whether a stack's norms precede their sublayers, and so do not read the sums."""
    first = f"{stack}.0.self_attn"
    norm = trace.tensors.get(f"{first}.norm")
    residual = trace.tensors.get(f"{first}.residual")
    return (
        norm is not None
        and residual is not None
        and all(residual is not each for each in norm.inputs)
    )
