import json
from pathlib import Path

import numpy as np
import pytest

from tests.math.stored import load
from tests.math.tiny import SOURCE, TARGET, VARIANTS, read_by, tiny
from transformer_math import Config, DropoutRates, Transformer, explain, sweep
from transformer_math.checkpoints import safetensors

ASSETS = Path(__file__).parents[2] / "assets"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_saved_model_is_loaded_bit_for_bit(variant: str, tmp_path: Path) -> None:
    model = tiny(**VARIANTS[variant], dropout=DropoutRates.paper(0.2))
    for where, file in (
        (tmp_path / "a" / "folder", tmp_path / "a" / "folder" / "model.safetensors"),
        (tmp_path / "one.safetensors", tmp_path / "one.safetensors"),
    ):
        model.save(str(where))
        assert file.is_file()
        again = Transformer.load(where)
        assert again.config == model.config
        for path, array in model.parameters.items():
            assert again.parameters[path].dtype == array.dtype
            np.testing.assert_array_equal(again.parameters[path], array)
        ids = read_by(model, SOURCE, TARGET)
        np.testing.assert_array_equal(again.logits(*ids), model.logits(*ids))


def test_a_file_of_the_page_is_loaded() -> None:
    model = Transformer.load(ASSETS / "phrases.safetensors")
    assert model.config == Config.preset("phrases", max_positions=model.config.max_positions)


def test_other_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    model, torch = tiny(), load("torch_post_relu").under("state")
    config = json.dumps({**model.config.as_dict(), "n_heads": 3})
    bad = {
        "torn": b"12345678",
        "without a config": safetensors.save(model.parameters),
        "an odd config": safetensors.save(model.parameters, {"config": config}),
        "a list as config": safetensors.save(model.parameters, {"config": "[]"}),
        "torch's": safetensors.save(torch, {"config": "{}"}),
        "too many layers": safetensors.save({}, {"config": '{"encoder_layers": 1000000}'}),
    }
    for name, data in bad.items():
        file = tmp_path / f"{name}.safetensors"
        file.write_bytes(data)
        with pytest.raises(ValueError, match=r"\.$"):
            Transformer.load(file)
    with pytest.raises(FileNotFoundError):
        Transformer.load(tmp_path / "nothing.safetensors")


def test_a_model_is_printed_as_a_table_in_which_equal_layers_are_one_line() -> None:
    lines = repr(tiny(encoder_layers=3)).splitlines()
    assert lines[0].startswith("Transformer(encoder-decoder, d_model 6, 2 heads, 3 + 1 layers, ")
    count = tiny(encoder_layers=3).config.parameter_count()
    assert f"{count:,} parameters, float64" in lines[0]
    rows = dict(line.split(maxsplit=1) for line in lines[1:])
    assert rows["encoder.0.self_attn.W_q"] == "(2, 6, 3)"
    assert rows["encoder.1.…"] == rows["encoder.2.…"] == "as encoder.0"
    assert rows["output.b_out"] == "(17,)"


def test_a_pass_is_printed_as_a_table() -> None:
    batch = tiny()([SOURCE, SOURCE], [TARGET, TARGET])
    lines = repr(sweep(batch, "source.W_e", (SOURCE[0], 0), [1, 2, 3])).splitlines()
    assert lines[0] == f"Trace({len(batch)} tensors, sweep 3, batch 2)"
    rows = dict(line.split(maxsplit=1) for line in lines[1:])
    assert list(rows) == batch.paths()
    assert rows["target.ids"] == "batch 2, position 3"
    assert rows["output.logits"] == "sweep 3, batch 2, position 3, vocab 17"
    layers = tiny(decoder_layers=2)(SOURCE, TARGET)
    assert "decoder.1.…" in repr(layers)


def test_an_explanation_is_printed_as_symbols_and_numbers_and_value() -> None:
    trace = tiny()(SOURCE, TARGET)
    how = explain(trace, "encoder.0.self_attn.head.1.scores", (2, 0))
    assert str(how).startswith(f"{how.symbols()} = {how.numbers()} = ")
    assert str(explain(trace, "source.W_e", (0, 0))).count(" = ") == 1


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("n_heads", "heads"),
        ("nhead", "heads"),
        ("hidden_size", "d_model"),
        ("dim_feedforward", "d_ff"),
        ("num_encoder_layers", "encoder_layers"),
        ("vocab_size", "source_vocabulary"),
        ("layer_norm_eps", "epsilon"),
        ("norm_first", "norm"),
        ("d_modle", "d_model"),
    ],
)
def test_for_the_name_of_another_library_the_error_suggests_the_right_one(theirs, ours) -> None:
    sentence = rf"no setting called {theirs}; {ours}\b.*meant\.$"
    for error, make in (
        (TypeError, lambda: Config(**{theirs: 8})),
        (TypeError, lambda: Config.preset("sandbox", **{theirs: 8})),
        (ValueError, lambda: Config.from_dict({theirs: 8})),
    ):
        with pytest.raises(error, match=sentence):
            make()
    with pytest.raises(TypeError, match=r"no setting called zzz\.$"):
        Config(zzz=1)
