"""Defines groups of parameters; the user chooses the group that an experiment may change."""

from collections.abc import Sequence

import numpy as np

from transformer_math.experiments import Free

from ..model.scenario.limits import MAX_EDITS
from ..model.scenario.matrix_address import matrix_address
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side
from ..typed_text import quoted

ROW = ".row."
SIDES: tuple[Side, ...] = ("source", "target")
EVERYTHING, WORDS = "everything", "words"

_TABLES = {"source": "all of the source's embeddings", "target": "the target's embeddings"}
_SUBLAYERS = {
    "self_attn": "self-attention",
    "cross_attn": "cross-attention",
    "feed_forward": "feed-forward network",
}


def choices(
    scenario: Scenario, near: Sequence[tuple[str, int]], most: float = MAX_EDITS
) -> list[tuple[str, str]]:
    """Return the identifier and label of each group, largest first.

    ``near`` has the paths and rows of cells whose groups are included, such as the selected cell.
    By default, a group has at most as many numbers as a session can store.
    """
    paths = list(scenario.config.parameter_shapes())
    found = [(EVERYTHING, "every learned number"), (WORDS, "embeddings of the words of the source")]
    if not scenario.settings.encoder_layers:
        found = found[:1]
    scopes = dict.fromkeys(_scope(path) for path in paths)
    layers = dict.fromkeys(scope.rpartition(".")[0] for scope in scopes if scope.count(".") > 1)
    found += [(layer, _said(layer)) for layer in layers]
    found += [(scope, _said(scope)) for scope in scopes]
    for path, row in near:
        found += _around(scenario, path, row)
    return [each for each in dict.fromkeys(found) if _count(scenario, each[0]) <= most]


def _around(scenario: Scenario, path: str, row: int) -> list[tuple[str, str]]:
    """Return the groups that contain a cell."""
    found = []
    for side in SIDES:
        table = f"{side}.W_e"
        if not path.startswith(f"{side}.") or table not in scenario.config.parameter_shapes():
            continue
        words = scenario.source_vocabulary if side == "source" else scenario.target_vocabulary
        ids = range(len(words)) if path == table else scenario.ids(side)
        if 0 <= row < len(ids):
            word = words[ids[row]] or "∅"
            found.append((f"{table}{ROW}{ids[row]}", f"the embedding of {quoted(word)} alone"))
    if scenario.is_parameter(path):
        found.append((path, "the selected matrix"))
    _, stored, head = matrix_address(path)
    if head is not None:
        scope = _scope(stored)
        found.append((f"{scope}.head.{head}", f"{_said(scope)}, head {head + 1} alone"))
    return found


def _count(scenario: Scenario, choice: str) -> int:
    """Return the number of parameters in a group."""
    shapes = scenario.config.parameter_shapes()
    if choice == EVERYTHING:
        return scenario.config.parameter_count()
    free = free_numbers(scenario, choice)
    return sum(
        int(np.prod(shapes[path])) if mask is None else int(mask.sum())
        for path, mask in free.items()
    )


def free_numbers(scenario: Scenario, choice: str) -> Free:
    """Return path -> mask of the parameters in a group; a mask is None for a whole tensor.

    Raise ``ValueError`` with one sentence if there is no such group.
    """
    shapes = scenario.config.parameter_shapes()
    if choice == EVERYTHING:
        return dict.fromkeys(shapes)
    if choice == WORDS and "source.W_e" in shapes:
        return {"source.W_e": _mask(shapes["source.W_e"], scenario.ids("source"))}
    table, _, row = choice.partition(ROW)
    if row.isdecimal() and table in shapes and int(row) < shapes[table][0]:
        return {table: _mask(shapes[table], [int(row)])}
    _, stored, head = matrix_address(choice)
    if stored in shapes:
        return {stored: None if head is None else _mask(shapes[stored], head)}
    scope, _, number = choice.partition(".head.")
    inside = {path: shape for path, shape in shapes.items() if _is_in(path, scope)}
    if not inside or (number and not number.isdecimal()):
        raise ValueError("There are no such numbers to move.")
    if not number:
        return dict.fromkeys(inside)
    return {
        path: _of_head(path, shape, int(number), scenario)
        for path, shape in inside.items()
        if path.rpartition(".")[2].startswith(("W_", "b_"))
        and _of_head(path, shape, int(number), scenario).any()
    }


def _scope(stored: str) -> str:
    """Return a path's scope: ``encoder.0.self_attn`` for its W_q, ``source`` for ``source.W_e``."""
    parts = stored.split(".")
    return ".".join(parts[:3]) if parts[1].isdecimal() else parts[0]


def _is_in(path: str, scope: str) -> bool:
    """Return whether a parameter belongs to a sublayer, or to a layer such as ``encoder.0``."""
    own = _scope(path)
    return own == scope or (scope.count(".") == 1 and own.startswith(f"{scope}."))


def _said(scope: str) -> str:
    stack, _, rest = scope.partition(".")
    if not rest:
        return _TABLES.get(scope, "the output's weights")
    layer, _, sublayer = rest.partition(".")
    if not layer.isdecimal():
        return f"the {stack}'s last norm"
    whole = f"{stack} layer {int(layer) + 1}"
    if not sublayer:
        return f"all of {whole}"
    masked = "masked " if sublayer == "self_attn" and scope.startswith("decoder") else ""
    return f"{whole}: {masked}{_SUBLAYERS.get(sublayer, sublayer)}"


def _mask(shape: tuple[int, ...], along: int | list[int]) -> np.ndarray:
    """Return a mask of the entries with these indices along the first axis."""
    mask = np.zeros(shape, bool)
    mask[along] = True
    return mask


def _of_head(path: str, shape: tuple[int, ...], head: int, scenario: Scenario) -> np.ndarray:
    """Return the mask of a head's numbers in a parameter; in W_o, the rows for its output."""
    mask = np.zeros(shape, bool)
    leaf = path.rpartition(".")[2]
    if leaf == "W_o":
        width = scenario.config.value_width
        mask[head * width : (head + 1) * width] = True
    elif leaf in ("W_q", "W_k", "W_v", "b_q", "b_k", "b_v"):
        mask[head] = True
    return mask
