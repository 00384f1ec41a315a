"""Through which files a selected cell is passed, from the browser's message to the inspector."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import param
import pytest
import tinkerformer
from tinkerformer.components.board.board import BoardComponent
from tinkerformer.components.inspector.inspector import Inspector
from tinkerformer.matrices.address import CellAddress
from tinkerformer.matrices.resolved_cell import ResolvedCell
from tinkerformer.page.page import create_page
from tinkerformer.scenario.matrix_address import MatrixAddress

APP = Path(tinkerformer.__file__).parent
MOST_FILES = 12

# Of stacked heads: the path of what is drawn is not that of the tensor in the trace, so that a
# function that is asked about the tensor is told apart from one that is passed the selection.
CELLS = [
    CellAddress("encoder.0.self_attn.head.1.weights", 2, 1),
    CellAddress("encoder.0.self_attn.head.0.W_q", 2, 1),
    CellAddress("decoder.0.cross_attn.head.1.context", 1, 2),
]


def is_selection(value: Any, path: str) -> bool:
    """Whether an argument names the selected cell: its path, an address, a message, an event.

    A saved session, which has the selection among all else, does not count.
    """
    if isinstance(value, str):
        return value == path
    if isinstance(value, CellAddress | ResolvedCell | MatrixAddress):
        return value.path == path
    if isinstance(value, param.parameterized.Event):
        return is_selection(value.new, path)
    if isinstance(value, dict):
        return any(is_selection(each, path) for each in value.values())
    if type(value) in (tuple, list):
        return any(is_selection(each, path) for each in value)
    return False


def arguments(frame: FrameType) -> Iterable[Any]:
    """What a function was called with."""
    code = frame.f_code
    variadic = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    count = code.co_argcount + code.co_kwonlyargcount + variadic
    return [frame.f_locals.get(name) for name in code.co_varnames[:count]]


def files_passed(cell: CellAddress) -> list[str]:
    """The files of `app` of whose functions one is passed the selection, in order."""
    page = create_page()
    (board,) = (c for c in page.regions["main"] if isinstance(c, BoardComponent))
    (inspector,) = (c for c in page.regions["right"] if isinstance(c, Inspector))
    board.connect(lambda _: None)
    board.receive({"type": "ready"})
    page.state.go("view", "formulas")
    found: dict[str, None] = {}
    before = sys.getprofile()

    def hear(frame: FrameType, event: str, _: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(APP):
            name = str(file.relative_to(APP))
            if name not in found and any(is_selection(x, cell.path) for x in arguments(frame)):
                found[name] = None

    inspector.param.watch(lambda _: sys.setprofile(before), "details")
    sys.setprofile(hear)
    try:
        board.receive({"type": "select", "path": cell.path, "i": cell.row, "j": cell.column})
        assert sys.getprofile() is before
    finally:
        sys.setprofile(before)
    assert tuple(inspector.details[key] for key in ("path", "i", "j")) == cell
    return list(found)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.path)
def test_a_selection_reaches_the_inspector_through_few_files(cell):
    found = files_passed(cell)
    assert "views/inspector/view.py" in found
    assert len(found) <= MOST_FILES, found
