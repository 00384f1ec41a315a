"""Applies the inspector's buttons to the selected cell, its row or its matrix."""

from typing import Any

from ...experiments import matching, patching
from ...explain import ablation, attend_only
from ...model.matrices.address import PROBABILITIES
from ...model.matrices.resolved_cell import ResolvedCell
from ...model.matrices.values import ScenarioTrace
from ...session.offer import UNDO, Offer
from ...session.state import AppState


def act(state: AppState, cell: ResolvedCell, data: dict[str, Any]) -> None:
    """Carry out a message of the inspector's buttons."""
    kind = data["type"]
    if kind == "renormalize":
        renormalize(state, cell)
    elif kind == "look_only":
        look_only(state, cell, everywhere=data["everywhere"])
    elif kind == "release_row":
        release_row(state, cell, everywhere=data["everywhere"])
    elif kind == "silence":
        silence_part(state, cell, data["name"], data["to"])
    elif kind == "patch":
        patch(state, cell, data["part"])


def silence_part(state: AppState, cell: ResolvedCell, name: str, to: str | None) -> None:
    """Silence a part that contains the cell, or release it if ``to`` is None."""
    scenario = state.scenario
    changed = ablation.chosen(scenario, cell, name, to)
    if changed is not None and changed != scenario:
        state.change(changed)


def look_only(state: AppState, cell: ResolvedCell, everywhere: bool) -> None:
    """Set a row of weights to 1 at the cell's key and 0 elsewhere, in this head or all heads."""
    if not _is_weight(state, cell):
        return
    state.change(attend_only.only_at(state.scenario, cell, everywhere))


def release_row(state: AppState, cell: ResolvedCell, everywhere: bool) -> None:
    """Undo the overrides of the weights in the row, in this head or in all heads."""
    if not _is_weight(state, cell):
        return
    scenario = state.scenario
    for head in attend_only.heads(scenario, cell, everywhere):
        scenario = scenario.without_row(head, cell.row)
    state.change(scenario)


def patch(state: AppState, cell: ResolvedCell, part: str) -> None:
    """Replace the cell, its row or its matrix with the baseline's numbers."""
    pinned = state.compared
    if pinned is None:
        return
    now = ScenarioTrace(state.scenario, state.trace)
    try:
        found = patching.patched(now, pinned, cell, part)
        state.change(found.scenario)
    except (KeyError, ValueError) as error:
        state.notice = str(error.args[0])
        return
    if state.scenario.edits != now.scenario.edits:  # equal if the page is locked
        said = f"{found.taken:,} {'numbers are' if found.taken > 1 else 'number is'} as in the "
        said += "baseline now." if not found.left else f"baseline now, {found.left} are not. "
        more = matching.sentence(now.scenario, pinned.scenario) if found.left else ""
        state.offer = Offer(said + more, UNDO)


def renormalize(state: AppState, cell: ResolvedCell) -> None:
    """Scale the other weights of the row so that it sums to 1 again."""
    path, i, j = cell.address
    if not _is_weight(state, cell) and path != PROBABILITIES:
        return
    row = cell.tensor.value[i].astype(float)
    others = row.sum() - row[j]
    if others <= 0:
        state.notice = "The others of the row are all 0; there is nothing to scale."
        return
    factor = max(0.0, 1 - row[j]) / others
    values = {(i, k): x * factor for k, x in enumerate(row) if k != j and x}
    values[i, j] = min(1.0, max(0.0, row[j]))
    state.change(state.scenario.with_values(path, values))


def _is_weight(state: AppState, cell: ResolvedCell) -> bool:
    return cell.path.endswith(".weights") and state.scenario.can_be_set(cell.stored)
