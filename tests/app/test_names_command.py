"""``tinkerformer names``: the list that it prints, and its file, with which the model opens."""

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
from transformer_math.checkpoints.propose import proposal

Captured = pytest.CaptureFixture[str]
# Names of the course model that no known family has.
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


def test_an_unknown_model_is_listed_and_opens_with_the_written_names(
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


def test_the_reason_why_a_model_does_not_open_is_printed(tmp_path: Path, capsys: Captured) -> None:
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
def test_an_unreadable_or_unwritable_file_ends_in_one_sentence(tmp_path: Path, what: str) -> None:
    file = tmp_path / "a" if what == "nothing" else file_of(tmp_path)
    if what == "no model":
        file.write_bytes(b"hello")
    to = tmp_path / "nowhere" / "a.json" if what == "nowhere to write" else tmp_path / "a.json"
    with pytest.raises(SystemExit) as ended:
        main(["names", str(file), "--to", str(to)])
    assert "\n" not in str(ended.value)
    assert str(ended.value).endswith(".")


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    to = tmp_path / "names.json"
    to.write_text("edited")
    with pytest.raises(SystemExit, match="is already there and may be edited"):
        main(["names", str(file_of(tmp_path)), "--to", str(to)])
    assert to.read_text() == "edited"


# -- modules of other names, and wrong mappings ---------------------------------------------------

D_MODEL, D_FF, WORDS = 6, 10, 7


def small_state(attention: str, norm: str) -> dict[str, np.ndarray]:
    """Return a decoder-only model of two layers with names that no family has."""
    random = np.random.default_rng(0)
    shapes = {"tok.weight": (WORDS, D_MODEL), "head.weight": (WORDS, D_MODEL)}
    for n in range(2):
        layer = f"blocks.{n}"
        for role in "qkvo":
            shapes[f"{layer}.{attention}.w{role}.weight"] = (D_MODEL, D_MODEL)
        shapes[f"{layer}.up.weight"] = (D_FF, D_MODEL)
        shapes[f"{layer}.down.weight"] = (D_MODEL, D_FF)
        for k in (1, 2):
            shapes[f"{layer}.{norm}{k}.weight"] = shapes[f"{layer}.{norm}{k}.bias"] = (D_MODEL,)
    return {name: random.normal(size=shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("attention", ["att", "attn", "mixer", "selfatt"])
@pytest.mark.parametrize("norm", ["ln", "n", "norm_"])
def test_a_model_opens_with_the_proposed_names_whatever_its_attention_is_called(attention, norm):
    state = small_state(attention, norm)
    names = proposal(state)
    model = Transformer.from_torch(state, heads=2, names=names)
    assert (model.config.decoder_layers, model.config.d_ff) == (2, D_FF)
    for n in range(2):
        assert names["arrays"][f"blocks.{n}.{attention}.wv.weight"] == f"decoder.{n}.self_attn.W_v"
        assert names["arrays"][f"blocks.{n}.down.weight"] == f"decoder.{n}.feed_forward.W_2"
        assert names["arrays"][f"blocks.{n}.{norm}2.bias"] == f"decoder.{n}.feed_forward.beta"
    shown = scenario_of(state, None, None, None, {"heads": 2, "names": names})
    assert shown.config.parameter_shapes() == model.config.parameter_shapes()


QUERIES = "blocks.0.att.wq.weight"
OF_QUERIES = r"decoder.0.self_attn.W_q, which asks for the shape \(2, 6, 3\); it maps "
OF_QUERIES += rf"{QUERIES}, of the shape \(6, 6\), to "


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({QUERIES: None}, f"^names= maps no array to {OF_QUERIES}null"),
        ({QUERIES: "decoder.0.self_attn.W_x"}, f"{OF_QUERIES}decoder.0.self_attn.W_x"),
        ({QUERIES: "decoder.0.feed_forward.W_1"}, f"{OF_QUERIES}decoder.0.feed_forward.W_1"),
        (
            {QUERIES: "nonsense"},
            rf"{QUERIES}, of the shape \(6, 6\), to nonsense, which is no path",
        ),
        (
            {
                "blocks.1.up.weight": "decoder.1.feed_forward.W_2",
                "blocks.1.down.weight": "decoder.1.feed_forward.W_1",
            },
            r"^names= maps blocks.1.down.weight to decoder.1.feed_forward.W_1: "
            r"blocks.1.down.weight has the shape \(6, 10\), not \(10, 6\)\.$",
        ),
        ({"no.such": "output.b_out"}, "^names= maps no.such to output.b_out, and there is no such"),
    ],
)
def test_the_error_of_a_wrong_mapping_names_the_entry_and_the_shapes(wrong, said):
    state = small_state("att", "ln")
    names = proposal(state)
    names["arrays"] |= wrong
    with pytest.raises(ValueError, match=said) as found:
        Transformer.from_torch(state, heads=2, names=names)
    assert "has no" not in str(found.value)  # all other arrays are mapped
