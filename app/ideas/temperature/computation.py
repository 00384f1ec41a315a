"""Computes the data, sentence and edits of the picture of softmax."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.explain.temperature import Spread, spread

from ...explain import labels
from ...model.matrices.attention import scopes
from ...model.scenario.matrix_address import matrix_address
from ...model.scenario.scenario import Scenario
from ...typed_text import quoted
from ..focus import row_in_focus
from ..settings import EVEN, SoftmaxSettings

ROWS = 10
LEAF = "raw_scores"


class Logits(NamedTuple):
    """A row that is the input of a softmax."""

    path: str  # the path of the logits that can be set; for attention, the logits of one head
    row: int
    words: Sequence[str]  # the words or keys that the logits belong to
    values: np.ndarray  # (n,), the logits before the division; −∞ for a masked logit
    own: float  # the temperature of the model
    own_text: str  # that temperature as a text, such as ``√d_k = 2``

    def name(self, k: int) -> str:
        """Return the label of a word or key."""
        return labels.shown(self.words[k])

    @property
    def is_attention(self) -> bool:
        """Whether the row has attention scores rather than the logits of the next word."""
        return self.path.endswith(LEAF)


def attentions(scenario: Scenario, trace: Trace) -> list[str]:
    """Return the paths of the raw scores of all heads."""
    heads = range(scenario.config.heads)
    return [f"{scope}.head.{head}.{LEAF}" for scope in scopes(trace) for head in heads]


def logits_of(
    scenario: Scenario,
    trace: Trace,
    chosen: SoftmaxSettings,
    followed: tuple[str, int] | None = None,
) -> Logits:
    """Return the chosen row; by default the next word's logits of the row in focus."""
    is_attention = chosen.scores in attentions(scenario, trace)
    path = chosen.scores if is_attention else "output.logits"
    tensor = trace[path.removesuffix(LEAF) + "masked_scores" if is_attention else path]
    count = len(tensor.value)
    stack = path.partition(".")[0]
    if stack == "output":
        stack = "decoder" if scenario.settings.decoder_layers else "encoder"
    row = chosen.row if 0 <= chosen.row < count else row_in_focus(trace, stack, count, followed)
    values = np.asarray(tensor.value[row], float)
    if not is_attention:
        return Logits(path, row, scenario.output_vocabulary, values, 1.0, "T = 1")
    tokens = scenario.axis_tokens.along(path, tensor.dims[1]) or ()
    own, text = _own_temperature(scenario)
    return Logits(path, row, tokens, values * own, own, text)


def _own_temperature(scenario: Scenario) -> tuple[float, str]:
    """Return the divisor of the attention scores, and its text."""
    config = scenario.config
    if config.attention_scale == "none":
        return 1.0, "T = 1"
    name, width = ("d_k", config.key_width)
    if config.attention_scale == "d_model":
        name, width = "d_model", config.d_model
    root = math.sqrt(width)
    return root, f"√{name} = {root:.3g}"


def temperature_of(found: Logits, chosen: SoftmaxSettings) -> float:
    """Return the shown temperature; values of at least ``EVEN`` represent ∞."""
    return found.own if chosen.temperature is None else float(chosen.temperature)


def spread_at(found: Logits, temperature: float) -> Spread:
    """Return the softmax of the row at a temperature."""
    return spread(found.values, math.inf if temperature >= EVEN else temperature)


def order_of(found: Logits) -> list[int]:
    """Return the shown columns: keys in their order, words by descending logit."""
    if found.is_attention and len(found.values) <= 2 * ROWS:
        return list(range(len(found.values)))
    largest = np.argsort(-found.values, kind="stable")[:ROWS]
    return [int(k) for k in largest]


def softmax_data(
    scenario: Scenario, found: Logits, temperature: float, order: Sequence[int]
) -> dict[str, Any]:
    """Return the data of the component `Temperature`."""
    now, own = spread_at(found, temperature), spread_at(found, found.own)
    rows: list[dict[str, Any]] = [
        {
            "label": found.name(k),
            "column": k,
            "logit": float(found.values[k]) if np.isfinite(found.values[k]) else None,
            "share": float(now.probabilities[k]),
            "own": float(own.probabilities[k]),
        }
        for k in order
    ]
    left = len(found.values) - len(order)
    if left:
        rest = {
            "share": max(0.0, 1 - sum(float(now.probabilities[k]) for k in order)),
            "own": max(0.0, 1 - sum(float(own.probabilities[k]) for k in order)),
        }
        rows.append({"label": f"{left:,} others", "column": -1, "logit": None, **rest})
    finite = [row["logit"] for row in rows if row["logit"] is not None] or [0.0]
    low, high = min(0.0, *finite), max(0.0, *finite)
    room = 0.08 * (high - low or 1)
    is_dragged = any(
        edit.path == matrix_address(found.path).stored and found.row in edit.place[-2:-1]
        for edit in scenario.edits
    )
    cold, hot = spread_at(found, 0), spread_at(found, EVEN)
    return {
        "rows": rows,
        "low": low - room,
        "high": high + room,
        "temperature": temperature,
        "own": found.own,
        "own_text": found.own_text,
        "settable": scenario.can_be_set(found.path),
        "limits": [
            {"name": "T → 0", "value": 0, "text": _limit(found, cold)},
            {
                "name": f"the model: {found.own_text}",
                "value": None,
                "text": _limit(found, own) + (", with logits as dragged" if is_dragged else ""),
            },
            {"name": "T → ∞", "value": EVEN, "text": _limit(found, hot)},
        ],
    }


def _limit(found: Logits, at: Spread) -> str:
    best = int(at.probabilities.argmax())
    largest = float(at.probabilities[best])
    ties = int((at.probabilities == largest).sum())
    who = quoted(found.name(best)) if ties == 1 else f"each of {ties:,}:"
    return f"{who} {largest:.3f} · {at.entropy:.2f} bits"


def softmax_sentence(scenario: Scenario, found: Logits, temperature: float) -> str:
    """Describe the row at the temperature, and its entropy as a number of equal choices."""
    now = spread_at(found, temperature)
    best = int(now.probabilities.argmax())
    visible = int((found.values > -np.inf).sum())
    what = "keys" if found.is_attention else "words"
    name = quoted(found.name(best))
    if temperature <= 0:
        said = f"Close to T = 0 all goes to the largest logit: {name} has 1"
    elif temperature >= EVEN:
        said = f"With T → ∞ the logits no longer count: each of {visible:,} {what} gets the same"
    else:
        said = f"At T = {temperature:.3g} {name} gets {now.probabilities[best]:.3f}"
    said += (
        f". How undecided that is, the entropy, is {now.entropy:.2f} bits: as much as an even "
        f"choice among {now.choices:.1f} of {visible:,} {what}."
    )
    if not found.is_attention:
        return f"{said} T never changes the order of the words, only how unequal their shares are."
    scope = labels.place_words(found.path)
    query = scenario.axis_tokens.along(found.path, "position")
    of = f" for {quoted(labels.shown(query[found.row]))}" if query else ""
    without = spread_at(found, 1.0).probabilities.max() if found.own != 1 else None
    scale = ""
    if without is not None:
        scale = (
            f" The paper divides them by {found.own_text}, which is such a temperature; without "
            f"it the first would have {without:.3f}."
        )
    return f"{said} These are the products q·k of {scope}{of}.{scale}"


def with_logit(scenario: Scenario, found: Logits, column: int, value: float) -> Scenario:
    """Return the scenario with one logit set; raise ValueError if there is no such logit."""
    if column >= len(found.values):
        raise ValueError(f"There are {len(found.values)} logits, counted from 0.")
    return scenario.with_value(found.path, (found.row, column), value)
