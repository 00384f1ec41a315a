"""``tinkerformer names``: what it lists and writes, and that the model opens with it."""

import json
from pathlib import Path

import numpy as np
import pytest
from tinkerformer.cli.command import main
from tinkerformer.files.given_model import scenario_of

from tests.math.test_families import STORED, files_of, read
from tests.math.test_read_files import STATES, renamed
from transformer_math import Transformer
from transformer_math.checkpoints import safetensors

Captured = pytest.CaptureFixture[str]
# The course model by names of nobody else.
STRANGE = {
    f"{stack}.layers.{n}.{theirs}": f"{stack}.blk{n}.{own}"
    for stack, n in (("encoder", 0), ("decoder", 0), ("decoder", 1))
    for theirs, own in (
        ("self_attention.fc_", "mha.w"),
        ("encoder_attention.fc_", "cross.w"),
        ("positionwise_feedforward.fc_", "ffn.lin"),
    )
}


def file_of(tmp_path: Path) -> Path:
    state = renamed(STATES["course"], STRANGE)
    (tmp_path / "mine.bin").write_bytes(safetensors.save(state))
    return tmp_path / "mine.bin"


def test_an_unknown_model_is_listed_and_opens_with_what_is_written(
    tmp_path: Path, capsys: Captured
) -> None:
    file, names = file_of(tmp_path), tmp_path / "mine.json"
    main(["names", str(file), "--to", str(names)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["array", "shape", "dtype", "parameter"]
    (row,) = (line.split() for line in lines if line.startswith("decoder.blk1.cross.wq.weight"))
    assert row[1:] == ["9", "×", "9", "float64", "decoder.1.cross_attn.W_q"]
    assert len(lines) == len(STATES["course"]) + 4
    with_heads = f"with heads=…, one of 1, 3, 9, names={str(names)!r}."
    assert lines[-2] == f"It opens as a model by the given names {with_heads}"
    assert json.loads(names.read_text())["settings"]["heads"] is None
    model, expected = Transformer.load(file, heads=3, names=names), read("course")
    for path, array in expected.parameters.items():
        np.testing.assert_array_equal(model.parameters[path], array)
    scenario = scenario_of(file, None, None, None, {"heads": 3, "names": names})
    assert scenario.config.heads == 3
    assert scenario.weights is not None
    with pytest.raises(ValueError, match="of no family known here"):
        Transformer.load(file, heads=3)


def test_a_known_family_needs_no_names(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.pt").write_bytes(files_of(STORED["nanogpt"])["model.pt"])
    main(["names", str(tmp_path / "a.pt"), "--to", str(tmp_path / "a.json")])
    said = capsys.readouterr().out
    assert "It opens as nanoGPT.\n" in said
    assert "beside the state: iter_num 7\n" in said
    (tmp_path / "b.pt").write_bytes(files_of(STORED["annotated"])["model.pt"])
    main(["names", str(tmp_path / "b.pt"), "--to", str(tmp_path / "b.json")])
    said = capsys.readouterr().out
    assert "It opens as the Annotated Transformer with heads=…, one of 1, 2, 4, 8.\n" in said


def test_a_model_that_does_not_open_is_told_why(tmp_path: Path, capsys: Captured) -> None:
    state = {**STATES["course"], "encoder.extra.weight": np.ones((4, 4))}
    file = tmp_path / "a"
    file.write_bytes(safetensors.save(renamed(state, STRANGE)))
    main(["names", str(file), "--to", str(tmp_path / "a.json")])
    said = capsys.readouterr().out
    assert "encoder.extra.weight" in said
    assert json.loads((tmp_path / "a.json").read_text())["arrays"]["encoder.extra.weight"] is None
    one = tmp_path / "one"
    one.write_bytes(safetensors.save({"a.weight": np.ones((3, 4))}))
    main(["names", str(one), "--to", str(tmp_path / "one.json")])
    assert "It does not open with this proposal: " in capsys.readouterr().out


@pytest.mark.parametrize("what", ["nothing", "no model", "nowhere to write"])
def test_what_cannot_be_read_or_written_is_one_sentence(tmp_path: Path, what: str) -> None:
    file = tmp_path / "a" if what == "nothing" else file_of(tmp_path)
    if what == "no model":
        file.write_bytes(b"hello")
    to = tmp_path / "nowhere" / "a.json" if what == "nowhere to write" else tmp_path / "a.json"
    with pytest.raises(SystemExit) as ended:
        main(["names", str(file), "--to", str(to)])
    assert "\n" not in str(ended.value)
    assert str(ended.value).endswith(".")


def test_an_edited_file_of_names_is_not_overwritten(tmp_path: Path) -> None:
    to = tmp_path / "names.json"
    to.write_text("edited")
    with pytest.raises(SystemExit, match="is already there and may be edited"):
        main(["names", str(file_of(tmp_path)), "--to", str(to)])
    assert to.read_text() == "edited"
