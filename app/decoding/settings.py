"""What can be set of decoding, with its limits."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from ..scenario.limits import MAX_TOKENS
from ..scenario.model_settings import MAX_SEED

METHODS = {
    "comparison": "Training and inference",
    "greedy": "Greedy",
    "beam": "Beam search",
    "sample": "Sampling",
}
MAX_LENGTH = MAX_TOKENS - 1  # beside the one that every target begins with
SAMPLES = 5
_SAMPLES_OF_LARGE = 2

# Models that take a noticeable time for each token write few of them unless asked for more.
_LARGE = 5_000_000
_SANDBOX_TOKENS, _CLOSED_TOKENS, _LARGE_TOKENS = 12, 20, 6


@dataclass(frozen=True, slots=True)
class DecodeSettings:
    """How a model is to write.

    Attributes:
        method: which of ``METHODS`` is shown.
        max_length: how many tokens are written at most; None for what suits the model.
        beam_size: of the beam.
        alpha: the strength of the length penalty.
        show_dropped: whether every dropped branch is drawn, or those of one step alone.
        temperature: what the logits are divided by.
        top_k: how many of the likeliest tokens can be drawn; 0 for all.
        top_p: the probability that the tokens to draw from have to reach; 1 for all.
        seed: of the first sample; each further one has the next.
    """

    method: str = "comparison"
    max_length: int | None = None
    beam_size: int = 4
    alpha: float = 0.6
    show_dropped: bool = False
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 1

    def changed(self, name: str, raw: Any, words: int) -> DecodeSettings:
        """The settings with one of them replaced; ``raw`` may be the text that was typed.

        Args:
            words: the size of the vocabulary, beyond which top-k cannot go.

        Raises:
            ValueError: one sentence that names the limit.
        """
        if name == "method":
            if raw not in METHODS:
                raise ValueError(f"There is no decoding method called {str(raw)[:40]!r}.")
            value: Any = raw
        elif name == "show_dropped":
            value = bool(raw)
        elif name == "max_length" and not str(raw).strip():
            value = None
        elif name in _WHOLE:
            low, high = _WHOLE[name]
            value = _whole(_LABELS[name], raw, low, words if high is None else high)
        elif name in _REAL:
            value = _real(name, raw)
        else:
            raise ValueError(f"There is no setting called {name}.")
        return dataclasses.replace(self, **{name: value})

    def with_next_seeds(self, count: int) -> DecodeSettings:
        """The seeds after the ``count`` that were shown; beyond the last it begins at 0."""
        following = self.seed + count
        seed = following if following + count - 1 <= MAX_SEED else 0
        return dataclasses.replace(self, seed=seed)


def default_max_length(parameters: int, closed: bool) -> int:
    """How many tokens suit a model with that many parameters, by default."""
    if parameters > _LARGE:
        return _LARGE_TOKENS
    return _CLOSED_TOKENS if closed else _SANDBOX_TOKENS


def sample_count(parameters: int) -> int:
    """How many samples are drawn at a time."""
    return _SAMPLES_OF_LARGE if parameters > _LARGE else SAMPLES


_LABELS = {
    "max_length": "The number of tokens",
    "beam_size": "The beam size",
    "top_k": "top-k",
    "seed": "The seed",
    "alpha": "α",
    "temperature": "The temperature",
    "top_p": "top-p",
}
# None: the size of the vocabulary. The samples' seeds follow one another and all have to fit.
_WHOLE: dict[str, tuple[int, int | None]] = {
    "max_length": (1, MAX_LENGTH),
    "beam_size": (1, 10),
    "top_k": (0, None),
    "seed": (0, MAX_SEED - SAMPLES + 1),
}
_REAL = {"alpha": (0.0, 2.0), "temperature": (0.0, 5.0), "top_p": (0.0, 1.0)}


def _whole(label: str, raw: Any, low: int, high: int) -> int:
    text = str(raw).strip()
    number = int(text) if text.isdecimal() and len(text) < 20 else None
    if number is None or not low <= number <= high:
        off = " (0: all words)" if label == "top-k" else ""
        raise ValueError(f"{label} is a whole number from {low} to {high}{off}.")
    return number


def _real(name: str, raw: Any) -> float:
    low, high = _REAL[name]
    try:
        number = float(str(raw).strip().replace(",", "."))
    except ValueError:
        number = math.nan
    if name == "top_p" and not 0 < number <= 1:
        raise ValueError("top-p is a number above 0 and up to 1 (1: all words).")
    if not low <= number <= high:
        raise ValueError(f"{_LABELS[name]} is a number from {low:g} to {high:g}.")
    return number + 0.0  # −0 is 0
