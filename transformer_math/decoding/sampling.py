"""Sampling, which draws each token from the model's distribution, with temperature and cut-offs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked
from transformer_math.decoding.prefill import prefill
from transformer_math.decoding.settings import Decoding, Sampling
from transformer_math.model import Transformer
from transformer_math.ops import softmax
from transformer_math.seeding import generator
from transformer_math.suggestions import DECODED

_ROUNDING = 1e-12  # tolerance for a sum of probabilities that should reach top_p
_UNCHANGED = Sampling()


@dataclass(frozen=True, slots=True, eq=False)
class SampleResult:
    """A target that was drawn in L steps.

    Attributes:
        ids: (L,), without start and prefix, with the end if it was drawn.
        finished: whether the end was drawn within ``max_length``.
        log_probability: the log-probability of all tokens under the model's own distribution.
        before: (L, V), the model's distribution in each step.
        after: (L, V), the distribution from which each token was drawn.
    """

    ids: np.ndarray
    finished: bool
    log_probability: float
    before: np.ndarray
    after: np.ndarray


def filtered(logits: ArrayLike, sampling: Sampling) -> np.ndarray:
    """Return the probabilities (…, V), in float64, of logits (…, V) after temperature and cut-offs.

    Applied in this order: softmax(logits / temperature); only the ``top_k`` likeliest tokens; among
    them only the smallest set whose probability reaches ``top_p``; scaling to a sum of 1. Tokens
    are ranked by their logits, because the probabilities of equal logits can differ in the last
    bits; of equal logits, the token with the lower id counts as likelier.

    Raises:
        ValueError: the logits are not finite.
    """
    temperature, top_k, top_p = sampling.temperature, sampling.top_k, sampling.top_p
    logits = np.asarray(logits, np.float64)
    largest = logits.max(-1, keepdims=True)
    if not np.isfinite(largest).all():
        raise ValueError("The logits are not finite, so there is no distribution over tokens.")
    if temperature == 0:
        likeliest = logits.argmax(-1)[..., None]
        is_likeliest: np.ndarray = np.arange(logits.shape[-1]) == likeliest
        return is_likeliest.astype(np.float64)
    with np.errstate(over="ignore"):  # at a temperature close to 0, logits become −∞
        probabilities = softmax((logits - largest) / temperature)
    if not top_k and top_p is None:
        return probabilities
    order = np.argsort(-logits, axis=-1, kind="stable")
    ranked = np.take_along_axis(probabilities, order, -1)
    if top_k:
        ranked[..., top_k:] = 0
        ranked /= ranked.sum(-1, keepdims=True)
    if top_p is not None and top_p < 1:
        # A token is kept if all likelier tokens together do not reach top_p.
        likelier = np.cumsum(ranked, axis=-1)[..., :-1]
        ranked[..., 1:][likelier >= top_p - _ROUNDING] = 0
        ranked /= ranked.sum(-1, keepdims=True)
    np.put_along_axis(probabilities, order, ranked, -1)
    return probabilities


@checked(DECODED)
def sample(
    model: Transformer,
    source_ids: ArrayLike | None,
    decoding: Decoding,
    sampling: Sampling = _UNCHANGED,
    *,
    seed: int = 0,
) -> SampleResult:
    """Draw token after token until it is ``end``; a temperature of 0 is greedy decoding.

    Args:
        model: the model.
        source_ids: (n,), one source; None for a decoder-only model.
        decoding: the start, the end and the maximal length of a target.
        sampling: temperature and cut-offs; the model's own distribution by default.
        seed: seed of the random numbers.

    Raises:
        ValueError: the model has no decoder, ids or settings do not fit it, or the logits are not
            finite.
    """
    decoder, logits = prefill(model, source_ids, decoding, one=True)
    random = generator(seed, "sample")
    ids: list[int] = []
    before, after = [], []
    total = 0.0
    while True:
        after.append(filtered(logits[0], sampling))
        token = int(random.choice(len(after[-1]), p=after[-1]))
        log_probabilities = decoding.log_probabilities(logits[0])
        before.append(np.exp(log_probabilities))
        total += float(log_probabilities[token])
        ids.append(token)
        finished = token == decoding.end
        if finished or len(ids) == decoding.max_length:
            return SampleResult(np.array(ids), finished, total, np.array(before), np.array(after))
        logits = decoder.step([token])
