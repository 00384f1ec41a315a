"""The settings of a way of decoding, described for the form."""

from __future__ import annotations

from typing import Any

from .settings import MOST_TOKENS, DecodeSettings, sample_count
from .task import Task


def fields(settings: DecodeSettings, task: Task) -> list[dict[str, Any]]:
    """The fields of the way that is looked at."""
    limit = _number("limit", "at most", task.limit, 1, MOST_TOKENS)
    limit["help"] = "How many tokens are written at most, the end included. Empty: what suits it."
    own = {"beam": _beam, "sample": _sample}.get(settings.way)
    return [*(own(settings, task) if own else []), limit, *_last(settings, task)]


def _beam(settings: DecodeSettings, task: Task) -> list[dict[str, Any]]:
    return [
        _number("width", "width", settings.width, 1, 10)
        | {"help": "How many branches stay at each step. 1 is greedy decoding."},
        _number("alpha", "length penalty α", settings.alpha, 0, 2, 0.1)
        | {"help": "0 takes log P as it is, which favors short texts. The paper takes 0.6."},
    ]


def _sample(settings: DecodeSettings, task: Task) -> list[dict[str, Any]]:
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


def _last(settings: DecodeSettings, task: Task) -> list[dict[str, Any]]:
    if settings.way == "beam":
        switch = {"kind": "switch", "label": "show all dropped", "value": settings.dropped}
        told = "Off: only those of the selected node’s step are drawn."
        return [{"name": "dropped", "help": told, **switch}]
    if settings.way == "sample":
        count = sample_count(task.scenario.config.parameter_count())
        title = f"Sample again: the next {count} seeds"
        return [{"name": "again", "kind": "action", "label": "Sample again", "title": title}]
    return []


def _number(
    name: str, label: str, value: float, low: float, high: float | None, step: float = 1
) -> dict[str, Any]:
    limits: dict[str, Any] = {"minimum": low, "step": step}
    if high is not None:
        limits["maximum"] = high
    kind = "integer" if step == 1 else "number"
    return {"name": name, "label": label, "kind": kind, "value": value, **limits}
