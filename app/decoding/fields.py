"""The settings of a decoding method, described for the form."""

from __future__ import annotations

from typing import Any

from .settings import MAX_LENGTH, DecodeSettings, sample_count
from .task import DecodingTask


def fields(settings: DecodeSettings, task: DecodingTask) -> list[dict[str, Any]]:
    """The fields of the method that is shown."""
    max_length = _number("max_length", "at most", task.max_length, 1, MAX_LENGTH)
    max_length["help"] = (
        "How many tokens are written at most, the end included. Empty: what suits it."
    )
    own = {"beam": _beam, "sample": _sample}.get(settings.method)
    return [*(own(settings, task) if own else []), max_length, *_method_extras(settings, task)]


def _beam(settings: DecodeSettings, task: DecodingTask) -> list[dict[str, Any]]:
    return [
        _number("beam_size", "beam size", settings.beam_size, 1, 10)
        | {"help": "How many branches stay at each step. 1 is greedy decoding."},
        _number("alpha", "length penalty α", settings.alpha, 0, 2, 0.1)
        | {"help": "0 takes log P as it is, which favors short texts. The paper takes 0.6."},
    ]


def _sample(settings: DecodeSettings, task: DecodingTask) -> list[dict[str, Any]]:
    words = len(task.scenario.target_vocabulary)
    return [
        _number("temperature", "temperature", settings.temperature, 0, 5, 0.1)
        | {"help": "What the logits are divided by, from 0 to 5. At 0 it is greedy decoding."},
        _number("top_k", "top-k", settings.top_k, 0, words)
        | {"help": "How many of the likeliest words can be drawn; 0 for all."},
        _number("top_p", "top-p", settings.top_p, 0.05, 1, 0.05)
        | {"help": "The probability that the words to draw from have to reach; 1 for all."},
        _number("seed", "seed", settings.seed, 0, None)
        | {"help": "Of the first sample; each further one has the next."},
    ]


def _method_extras(settings: DecodeSettings, task: DecodingTask) -> list[dict[str, Any]]:
    if settings.method == "beam":
        switch = {"kind": "switch", "label": "show all dropped", "value": settings.show_dropped}
        help_text = "Off: only those of the selected node’s step are drawn."
        return [{"name": "show_dropped", "help": help_text, **switch}]
    if settings.method == "sample":
        count = sample_count(task.scenario.config.parameter_count())
        title = f"Sample again: the next {count} seeds"
        return [{"name": "next_seeds", "kind": "action", "label": "Sample again", "title": title}]
    return []


def _number(
    name: str, label: str, value: float, low: float, high: float | None, step: float = 1
) -> dict[str, Any]:
    limits: dict[str, Any] = {"minimum": low, "step": step}
    if high is not None:
        limits["maximum"] = high
    kind = "integer" if step == 1 else "number"
    return {"name": name, "label": label, "kind": kind, "value": value, **limits}
