"""Pieces of the Transformer that can be taken out of a training, to see what they are for."""

from __future__ import annotations

from typing import Any, NamedTuple


class Ablation(NamedTuple):
    """A piece that can be taken out.

    Attributes:
        label: how it is called.
        about: what to expect, as it was measured with the settings that come with it.
        settings: settings that come with it, so that it shows.
        config: what of the model is other than in the paper.
    """

    label: str
    about: str
    settings: dict[str, Any]
    config: dict[str, Any]


ABLATIONS: dict[str, Ablation] = {
    "none": Ablation(
        "nothing",
        "The Transformer of the paper, small. With the dates and these settings as they "
        "come every held-out date is right at the end.",
        {},
        {},
    ),
    "warmup": Ablation(
        "no warm-up",
        "The first steps go at the full rate, when Adam has hardly seen a gradient. Three layers "
        "deep, at a rate of 0.01, most runs learn what dates look like and get few of them right, "
        "and no two seeds do alike; with a warm-up of 100 steps all come right. One layer "
        "forgives it.",
        {"warmup": 0, "peak_learning_rate": 1e-2, "encoder_layers": 3, "decoder_layers": 3},
        {},
    ),
    "scale": Ablation(
        "no scale",
        "Scores are not divided by √d_k, so the softmax of a wide head is at its ends from the "
        "start and lets hardly any gradient through: in trials from none to three dates in ten "
        "came out right, with the scale all do. Heads of width 8 hardly notice.",
        {"d_model": 64, "heads": 1, "steps": 400},
        {"attention_scale": "none"},
    ),
    "positions": Ablation(
        "no positions",
        "The encoder sees a bag of digits: it cannot tell the day from the month, nor 1924 from "
        "1942. About half of the letters come out right, and one date in a hundred.",
        {},
        {"positions": "none"},
    ),
    "residual": Ablation(
        "no residual",
        "Without the x + around every sublayer three layers pass hardly anything on: it learns "
        "how common each letter is, and writes one of them over and over. No date comes out "
        "right; with one layer each, it still learns.",
        {"encoder_layers": 3, "decoder_layers": 3},
        {"residual": False},
    ),
}
