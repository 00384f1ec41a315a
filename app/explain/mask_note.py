"""Explains why a mask hides a key from a query."""

import math

from transformer_math.ops.tensor import Index, Tensor

from ..model.scenario.scenario import Scenario
from ..typed_text import quoted

MASKS = {"source.mask": "source", "target.mask": "target"}


def mask_note(scenario: Scenario, tensor: Tensor, index: Index) -> str:
    """Explain in a sentence why a cell is masked or that it is visible; empty without a mask.

    The tensor is a mask of keys or of pairs, or has masked scores. The last entry of the index is
    the key, and the entry before it the query.
    """
    if tensor.path in MASKS:
        mask = tensor.path
    elif tensor.path.endswith(".masked_scores"):
        mask = next((source.path for source in tensor.inputs if source.path in MASKS), "")
    else:
        return ""
    is_closed = math.isinf(float(tensor.value[index]))
    if not mask or not (is_closed or tensor.path in MASKS):
        return ""
    tokens = getattr(scenario, MASKS[mask])
    key, query = index[-1], index[-2] if len(index) > 1 else None
    word = f"{quoted(tokens[key] or '∅')} (position {key})"
    if not is_closed:
        return f"{word} is visible: 0 leaves the score as it is."
    if tokens[key] == scenario.vocabulary.pad:
        return (
            f"{word} is padding: its whole column is −∞, so its weight is 0 in every row and no "
            "token looks at it."
        )
    later = "" if query is None else f" than {quoted(tokens[query] or '∅')} (position {query})"
    return f"{word} comes later{later}: −∞ makes its weight 0, because it is not written yet."
