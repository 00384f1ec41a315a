import ast
import json
import warnings
from pathlib import Path

import pytest
from tinkerformer.from_python.handle import Handle

NOTEBOOKS = Path(__file__).parents[2] / "assets" / "notebooks"
NOTEBOOK = NOTEBOOKS / "your_model.ipynb"
REFERENCE = NOTEBOOKS / "PanelPage.ipynb"


@pytest.fixture(scope="module")
def cells():
    return code_of(NOTEBOOK)


def code_of(notebook):
    found = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


def run(cell, names):
    """Run a cell, and return the value of its last line, if that is an expression."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NOTEBOOK.name, "exec"), names)
    if last is not None:
        return eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
    return None


def test_the_cells_of_the_notebook_run_in_their_order(cells, capsys):
    names, shown = {}, []
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # PyTorch warns about fast paths that it does not take
        for cell in cells:
            value = run(cell, names)
            if isinstance(value, Handle):
                shown.append(value)
    said = capsys.readouterr().out
    assert shown == [names["page"], names["mine"]]
    written = [line for line in said.splitlines() if line.startswith("<sos>")]
    assert written[:2] == [
        "<sos> le chat est assis sur le tapis",
        "<sos> le chat noir est assis sur le tapis",
    ]
    assert "<sos> tree star moon" in said
    assert names["chosen"][0] == ("decoder.0.cross_attn.head.1.scores", 2, 2)
    if "torch" in names:
        assert float(said.splitlines()[-1]) < 1e-5


def test_a_kernel_runs_the_notebook_and_keeps_the_pictures(tmp_path):
    nbclient = pytest.importorskip(
        "nbclient", reason="nbclient is not installed (extra notebook-test)."
    )
    pytest.importorskip("ipykernel", reason="ipykernel is not installed (extra notebook-test).")
    pytest.importorskip("anywidget", reason="anywidget is not installed (extra notebook).")
    import nbformat

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": tmp_path}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    data = [output.get("data", {}) for output in outputs]
    pictures = [each["image/svg+xml"] for each in data if "image/svg+xml" in each]
    widgets = [each for each in data if "application/vnd.jupyter.widget-view+json" in each]
    assert len(pictures) == len(widgets) == 2
    assert all("<text" in picture for picture in pictures)


def test_the_reference_notebook_runs_and_shows_the_page(capsys):
    names = {}
    shown = [value for cell in code_of(REFERENCE) if (value := run(cell, names)) is not None]
    page, row = names["page"], names["row"]
    assert shown[:2] == [page, row]
    assert "[1] <the page of the trained phrases>" in repr(row)
    assert shown[2:] == [
        "le petit chien est assis sur le tapis",
        (2.5, (8, 4)),
        shown[4],
        ("the white mouse", "the small dog sat on the mat"),
    ]
    assert set(shown[4]._widgets) >= {"source", "target", "view"}
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "d_model is a whole number from 2 to 64 in steps of 2."
    assert said[1].startswith('"""The forward pass of a Transformer in NumPy')
