"""A single stage of the formulas, or a single matrix, for embedding in a course page."""

from transformer_math import Trace

from ...explain import labels
from ...manifest import Manifest, StageEntry
from ...model.scenario.matrix_address import matrix_address
from ...model.scenario.scenario import Scenario
from . import explore, texts
from .sheet import Sheet, Viewport, row, stage

MATRIX = "matrix:"


def manifest(
    scenario: Scenario,
    trace: Trace,
    version: int,
    only: str,
    viewport: Viewport | None = None,
) -> Manifest:
    """Return the structure of a page that shows one stage, or one matrix of the pass.

    ``only`` is a stage's id, or ``matrix:`` and the path of a tensor or of one of its heads. Raise
    ``ValueError``, with a sentence for the user, if the model does not have the stage or matrix.
    """
    viewport = viewport or Viewport()
    is_matrix = only.startswith(MATRIX)
    path = only.removeprefix(MATRIX)
    sheet = Sheet(scenario, trace, viewport._replace(layers=viewport.layers.toward(path)))
    found: Manifest = {
        "version": version,
        "stages": [_matrix(sheet, path) if is_matrix else _stage(sheet, path)],
        "matrices": sheet.matrices,
        "choices": [],
    }
    explore.add_always_sent(found, sheet)
    return found


def _stage(sheet: Sheet, name: str) -> StageEntry:
    stages = explore.lay_out(sheet)
    for entry in stages:
        if entry["id"] == name:
            return entry
    known = ", ".join(entry["id"] for entry in stages)
    raise ValueError(f"This model has no stage called “{name}”; it has {known}.")


def _matrix(sheet: Sheet, path: str) -> StageEntry:
    _, stored, head = matrix_address(path)
    heads = sheet.trace[stored].shape[0] if _is_of_heads(sheet, stored) else 0
    if stored not in sheet or (head is not None and head >= heads):
        raise ValueError(f"This model has no matrix called “{path}”.")
    tensor = sheet.tensor(stored)
    formulas = [] if tensor.is_leaf else sheet.formula(stored, head=head)
    words = labels.place_words(path)
    heading = "", words[:1].upper() + words[1:]
    drawn = sheet.show(stored) if head is None else sheet.show_head(stored, head)
    return stage(f"{MATRIX}{path}", heading, texts.NONE, [row(drawn, tex=formulas or None)])


def _is_of_heads(sheet: Sheet, stored: str) -> bool:
    return stored in sheet and sheet.trace[stored].dims[0] == "head"
