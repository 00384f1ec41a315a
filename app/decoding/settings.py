"""Defines the settings of decoding."""

from typing import Self

import param

from transformer_math.checks import MAX_SEED

from ..model.scenario.limits import MAX_TOKENS
from ..model.scenario.settings import Limits, Settings

MAX_LENGTH = MAX_TOKENS - 1  # without the start token
SAMPLES = 5
_SAMPLES_OF_LARGE = 2

# Models that take a noticeable time per token generate few tokens by default.
_LARGE = 5_000_000
_SANDBOX_LENGTH, _TRAINED_LENGTH, _LARGE_LENGTH = 12, 20, 6


class DecodingSettings(Settings):
    """The decoding method, its parameters, and an option of drawing."""

    method = param.Selector(
        default="greedy",
        objects={
            "Greedy": "greedy",
            "Beam search": "beam",
            "Sampling": "sample",
            "Training and inference": "comparison",
        },
        label="decoding method",
    )
    beam_size = param.Integer(
        default=4,
        bounds=(1, 10),
        label="beam size",
        doc="The number of branches that remain at each step. 1 is greedy decoding.",
    )
    alpha = param.Number(
        default=0.6,
        bounds=(0, 2),
        step=0.1,
        label="length penalty α",
        doc="With 0, the score is log P, which favors short texts. The paper uses 0.6.",
    )
    beam_style = param.Selector(
        default="textbook",
        objects={"Textbook": "textbook", "Hugging Face": "huggingface"},
        label="beam style",
        doc=(
            "Textbook: a finished branch uses a place in the step where it ends. Hugging Face: it "
            "uses none, and the penalty is |Y| to the power α."
        ),
    )
    temperature = param.Number(
        default=1.0,
        bounds=(0, 5),
        step=0.1,
        label="temperature",
        doc="The logits are divided by this number, from 0 to 5. 0 is greedy decoding.",
    )
    top_k = param.Integer(
        default=0,
        bounds=(0, None),
        label="top-k",
        doc="The number of likeliest words to draw from; 0 for all.",
    )
    top_p = param.Number(
        default=1.0,
        bounds=(0, 1),
        inclusive_bounds=(False, True),
        step=0.05,
        label="top-p",
        doc="The likeliest words that together have this probability are drawn from; 1 for all.",
    )
    seed = param.Integer(
        default=1,
        bounds=(0, MAX_SEED - SAMPLES + 1),  # the samples use consecutive seeds
        label="seed",
        doc="The seed of the first sample; each following sample has the next seed.",
    )
    max_length = param.Integer(
        default=None,
        allow_None=True,
        bounds=(1, MAX_LENGTH),
        label="max length",
        doc="The maximum number of tokens, including the end. Empty: a suitable length.",
    )
    show_dropped = param.Boolean(
        default=False,
        label="show all dropped",
        doc="Off: only the dropped branches of the selected node’s step are drawn.",
    )

    def limits(self, name: str) -> Limits:
        """Return the declared limits; the error message includes the value that keeps all words."""
        all_words = {"top_k": " (0: all words)", "top_p": " (1: all words)"}
        return self.declared_limits(name)._replace(why=all_words.get(name, ""))

    def check_vocabulary(self, size: int) -> None:
        """Raise ``ValueError`` with one sentence if top-k is larger than the vocabulary."""
        self.checked("top_k", self.top_k, self.limits("top_k")._replace(high=size))

    def with_next_seeds(self, count: int) -> Self:
        """Return the settings with the next ``count`` seeds, from 0 after the largest seed."""
        following = self.seed + count
        return self.replace(seed=following if following + count - 1 <= MAX_SEED else 0)


def default_max_length(parameters: int, is_trained: bool) -> int:
    """Return the default maximum length for a model with this number of parameters."""
    if parameters > _LARGE:
        return _LARGE_LENGTH
    return _TRAINED_LENGTH if is_trained else _SANDBOX_LENGTH


def sample_count(parameters: int) -> int:
    """Return the number of samples for a model with this number of parameters."""
    return _SAMPLES_OF_LARGE if parameters > _LARGE else SAMPLES
