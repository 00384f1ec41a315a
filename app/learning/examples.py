"""Computes the model's outputs for some held-out pairs, as examples."""

from typing import NamedTuple

from transformer_math import Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import answers

EXAMPLES = 8


class Example(NamedTuple):
    """A held-out pair: its source, the correct target, and the model's output.

    If several targets are correct and the output is one of them, ``right`` is the output.
    """

    source: str
    right: str
    written: str


def examples(model: Transformer, pairs: Pairs) -> list[Example]:
    """Compute the outputs for the first held-out pairs; ``ValueError`` if they are not finite."""
    found = pairs.held_out_source[:EXAMPLES], pairs.held_out_target[:EXAMPLES]
    texts = [
        [tokenizer.decode(ids) for ids in rows.tolist()]
        for rows, tokenizer in zip(
            found, (pairs.source_tokenizer, pairs.target_tokenizer), strict=True
        )
    ]
    written = answers(model, pairs, found[0])
    return [
        Example(source, out if pairs.is_right(right, out) else right, out)
        for source, right, out in zip(*texts, written, strict=True)
    ]
