"""A program exports what the page's menu exports, without a browser."""

import io
import json
import subprocess
import sys

import numpy as np
import pytest
import tinkerformer as tf
from tinkerformer.exports.exported import KINDS
from tinkerformer.session.session_json import from_json

from transformer_math.checkpoints import safetensors

PATH = "encoder.0.self_attn.head.1.W_q"


@pytest.fixture
def page():
    page = tf.show("phrases", "the black cat")
    page.set(PATH, (0, 1), 0.5)
    return page


def test_every_kind_of_export_in_the_menu_is_exported(page):
    page.selection = (PATH, 0, 0)
    for kind in KINDS:
        assert page.export(kind)
    assert page.export("svg").startswith("<svg")
    assert safetensors.load(page.export("safetensors")).arrays["source.W_e"].size


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_a_script_is_a_module_with_a_main_function(page, tmp_path, library):
    text = page.export(library)
    assert "def main():" in text
    if library == "torch":
        pytest.importorskip("torch", reason="PyTorch is not installed: its script was not run.")
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    code = "import script; print(script.transformer().tolist()[0][:2]); script.main()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    first, *rest = done.stdout.splitlines()
    np.testing.assert_allclose(json.loads(first), page.probabilities[0, :2], atol=1e-5)
    assert rest[0] == "the next word after each token:"


def test_a_matrix_is_exported_with_its_present_numbers(page):
    values = np.load(io.BytesIO(page.export("npy", PATH)))
    np.testing.assert_array_equal(values, page.trace[PATH])
    assert values[0, 1] == 0.5
    rows = page.export("csv", PATH).splitlines()
    assert len(rows) == 1 + len(values)
    assert rows[1].split(",")[2] == "0.5"


def test_by_default_the_selected_matrix_is_exported(page):
    with pytest.raises(ValueError, match="path names the matrix of csv, unless one is selected"):
        page.export("csv")
    page.selection = (PATH, 0, 0)
    assert page.export("csv") == page.export("csv", PATH)


def test_a_session_contains_everything(page):
    saved = from_json(page.export("session")).scenario
    assert saved.edits == page.scenario.edits
    assert (saved.model, saved.source) == (page.model, page.scenario.source)
