"""Finds and describes the parts of a model that contain a cell and can be silenced."""

from typing import NamedTuple, TypedDict

from transformer_math import Trace

from ..model.inference.held_out import is_read
from ..model.inference.silencing import averaged_pairs
from ..model.matrices.resolved_cell import ResolvedCell
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import VALUES, ZERO, Silence, head_part, is_of_tokens
from ..model.scenario.task_words import task_words
from . import labels

_SUBLAYERS = {
    "self_attn": "self-attention",
    "cross_attn": "cross-attention",
    "feed_forward": "feed-forward",
}
_ATTENTIONS = ("self_attn", "cross_attn")
_BY_UNIT = {"W_1": 1, "b_1": 0, "W_2": 0, "hidden": 1, "activation": 1, "activation_dropout": 1}
_BY_VALUE = {"concat": 1, "W_o": 0}  # along the axis h·d_v


class SilenceChoice(TypedDict):
    """A part that can be silenced."""

    name: str  # the kind of part: head, sublayer, unit or row
    label: str  # the part, in words
    to: str  # the value that replaces it; empty if it is not silenced


class _Part(NamedTuple):
    name: str
    silence: Silence
    label: str


def choices(scenario: Scenario, cell: ResolvedCell) -> list[SilenceChoice]:
    """Return the parts that contain a cell and can be silenced, the smallest last."""
    is_set = {each.part: each.to for each in scenario.silences}
    return [
        {"name": name, "label": label, "to": is_set.get(silence.part, "")}
        for name, silence, label in _parts(scenario, cell)
    ]


def chosen(scenario: Scenario, cell: ResolvedCell, name: object, to: object) -> Scenario | None:
    """Silence or, if ``to`` is None, release a part around a cell; return None without the part."""
    for part in _parts(scenario, cell):
        if part.name == name and to in (*VALUES, None):
            return with_silence(scenario, part.silence.part, to)
    return None


def with_silence(
    scenario: Scenario, part: tuple[str, int | None, int | None], to: object
) -> Scenario:
    """Silence a part, or release it if ``to`` is None; raise ValueError if there is none."""
    if to is None:
        return scenario.without_silence(*part)
    return scenario.with_silence(Silence(*part, str(to)))


def covering(scenario: Scenario, cell: ResolvedCell) -> Silence | None:
    """Return the silence that applies to a cell, of the smallest part if there are several."""
    found = [each for each in scenario.silences if each.covers(*cell.address)]
    return max(found, key=lambda s: (s.row is not None) + (s.column is not None), default=None)


def unheard(scenario: Scenario, trace: Trace, cell: ResolvedCell) -> str:
    """State that a cell has no effect, because a part that depends on it is 0; else empty."""
    is_set = {each.part: each.to for each in scenario.silences}
    for name, silence, label in _parts(scenario, cell):
        if name == "row" or is_set.get(silence.part) != ZERO:
            continue
        if silence.matrix.stored in trace.downstream(cell.stored):
            return f"{label[0].upper()}{label[1:]} is silenced: this number changes nothing."
    return ""


def sentence(scenario: Scenario, silence: Silence) -> str:
    """Describe a silence: ``Silenced: set to 0.``"""
    return f"Silenced: set to {said(scenario, silence.to)}."


def said(scenario: Scenario, to: str) -> str:
    """Name the replacing value: ``0``, or ``its mean over 200 unseen phrases``.

    The number of phrases is omitted until it is known.
    """
    if to == ZERO:
        return "0"
    if scenario.data is not None and not is_read(scenario):
        return f"its mean over unseen {task_words(scenario.data).examples}"
    pairs = averaged_pairs(scenario)
    if pairs is None or scenario.data is None:
        return "its mean over the tokens of this text"
    return f"its mean over {len(pairs.source)} unseen {task_words(scenario.data).examples}"


def words(scenario: Scenario, silence: Silence) -> str:
    """Name a part: ``head 2 of decoder layer 1, cross-attention``."""
    place = labels.place_words(silence.matrix.stored) or silence.path
    return f"{label(scenario, silence)} of {place}"


def label(scenario: Scenario, silence: Silence) -> str:
    """Name a part in short: ``all``, ``positions``, ``head 2``, ``row “cat”`` or ``unit f3``."""
    path, row, column, _ = silence
    _, stored, head = silence.matrix
    found = []
    if head is not None:
        found.append(f"head {head + 1}")
    if row is not None:
        axis = "source_position" if path.startswith("source.") else "position"
        tokens = scenario.axis_tokens.along(stored, axis) or ()
        # The row may belong to an earlier, longer text.
        said = [f"“{each or '∅'}”" for each in labels.visible(tokens[row : row + 1])]
        found.append(f"row {''.join(said) or row}")
    leaf = stored.rpartition(".")[2]
    if column is not None:
        found.append(f"unit f{column}" if leaf in _BY_UNIT else f"column {column}")
    return ", ".join(found) or ("all" if leaf == "out" else leaf)


def _parts(scenario: Scenario, cell: ResolvedCell) -> list[_Part]:
    """Return the parts that contain a cell, the smallest last."""
    row, column, head = cell.row, cell.column, cell.head
    scope, _, leaf = cell.stored.rpartition(".")
    kind = scope.rpartition(".")[2]
    found: list[_Part] = []
    if kind in _SUBLAYERS:
        sublayer = Silence(f"{scope}.out")
        found.append(_Part("sublayer", sublayer, f"all of {_SUBLAYERS[kind]}"))
    if kind in _ATTENTIONS:
        if leaf in _BY_VALUE:
            head = (row, column)[_BY_VALUE[leaf]] // scenario.config.value_width
        if head is not None:
            found.append(_Part("head", Silence(head_part(scope, head)), f"head {head + 1}"))
    if kind == "feed_forward" and leaf in _BY_UNIT:
        # A bias is a matrix of one row.
        at = column if leaf == "b_1" else (row, column)[_BY_UNIT[leaf]]
        found.append(_Part("unit", Silence(f"{scope}.activation", column=at), f"unit f{at}"))
    if is_of_tokens(cell.stored):
        named = label(scenario, Silence(cell.stored, row=row))
        found.append(_Part("row", Silence(cell.path, row=row), named))
    return found
