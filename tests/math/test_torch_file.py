"""Files with the names of ``torch.nn.Transformer``; the config is in shapes and metadata."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from tests.math.stored import Stored, load
from tests.math.test_torch_reference import CASES, STORED, assert_near, config_of
from transformer_math import Config, Transformer
from transformer_math.checkpoints import own_file, safetensors
from transformer_math.checkpoints.read_files import read_files
from transformer_math.checkpoints.state import layout_of, read_state

POST = load("torch_post_relu")


def file(stored: Stored, metadata: dict[str, str] | None = None, **changed: Any) -> bytes:
    state = {**stored.under("state"), **changed}
    return safetensors.save({n: x for n, x in state.items() if x is not None}, metadata)


def config_of_file(data: bytes, heads: int | None = None, **settings: Any) -> Config:
    return read_files({"model": data}, heads, **settings).config


def told(stored: Stored) -> dict[str, Any]:
    """Return the settings of a stored case that no shape shows."""
    names = ("norm", "activation", "source_pad", "target_pad")
    return {name: stored.config[name] for name in names}


@pytest.mark.parametrize("name", CASES)
def test_a_file_gives_the_logits_of_torch(name: str) -> None:
    stored = STORED[name]
    config = {"heads": stored.config["heads"], "dtype": "float64", **told(stored)}
    model = Transformer.load({"a": file(stored, {"config": json.dumps(config)})})
    logits = model.logits(stored.arrays.get("source_ids"), stored.arrays.get("target_ids"))
    assert_near(logits, stored.under("value")["output.logits"], 1e-12, name)


def test_settings_that_no_shape_shows_have_the_value_of_the_paper() -> None:
    config = config_of_file(file(POST), heads=2)
    assert (config.norm, config.activation, config.dtype) == ("post", "relu", "float64")


def test_arguments_take_precedence_over_the_metadata_which_may_have_torch_s_names() -> None:
    metadata = {"config": '{"nhead": 7, "norm_first": true, "layer_norm_eps": 0.5, "other": []}'}
    config = config_of_file(file(POST, metadata))
    assert (config.heads, config.norm, config.epsilon) == (7, "pre", 0.5)
    config = config_of_file(file(POST, metadata), heads=2, norm="post")
    assert (config.heads, config.norm, config.epsilon) == (2, "post", 0.5)
    config = config_of_file(file(POST, {**metadata, "heads": "14"}))
    assert config.heads == 14


def test_metadata_of_this_project_are_read() -> None:
    config = config_of(POST, "float64")
    metadata = {"config": json.dumps(dataclasses.asdict(config))}
    found = config_of_file(file(POST, metadata))
    assert found == Transformer.from_torch(POST.under("state"), config).config


def test_shared_tables_and_learned_positions_are_recognized() -> None:
    state = POST.under("state")
    del state["target_embedding.weight"], state["generator.weight"], state["generator.bias"]
    for side in ("source", "target"):
        state[f"{side}_positions.weight"] = np.ones((9, 14))
    config = read_state(state, heads=2).config
    assert config.share_embeddings
    assert config.tie_output
    assert config.target_vocabulary == config.source_vocabulary == 17
    assert (config.positions, config.max_positions) == ("learned", 9)
    assert Transformer.from_torch(state, config).parameters["target.W_p"].shape == (9, 14)


FIRST = "encoder.layers.0."


@pytest.mark.parametrize(
    ("changed", "metadata", "heads", "sentence"),
    [
        ({}, {}, None, "how many attention heads there are: give heads=, one of 1, 2, 7, 14"),
        ({}, {}, 3, "queries have 14 columns by the weights, no multiple of 3 heads"),
        ({}, {}, 0, "heads is a whole number from 1, not 0"),
        ({}, {"heads": "two"}, None, "of its config cannot be read"),
        ({}, {"heads": "2.0"}, None, "heads cannot be 2.0"),
        ({}, {"config": "[]"}, 2, "of its config cannot be read"),
        ({}, {"config": "{"}, 2, "of its config cannot be read"),
        ({}, {"config": '{"epsilon": "x"}'}, 2, "epsilon cannot be 'x'"),
        ({}, {"config": '{"norm_first": 1}'}, 2, "norm_first cannot be 1"),
        ({}, {"config": '{"activation": "cos"}'}, 2, "activation is one of"),
        ({}, {"config": '{"source_pad": 17}'}, 2, "source_pad is a whole number from 0 to 16"),
        ({FIRST + "linear1.weight": None}, {}, 2, "no encoder.layers.0.linear1.weight"),
        ({FIRST + "linear1.weight": np.zeros(3)}, {}, 2, r"shape \(3,\), not \(11, 14\)"),
        ({FIRST + "linear2.bias": np.zeros(3)}, {}, 2, r"linear2.bias has the shape \(3,\)"),
        ({FIRST + "self_attn.in_proj_weight": np.zeros((6, 14))}, {}, 2, r"not \(42, 14\)"),
        ({FIRST + "self_attn.in_proj_bias": np.ones(41)}, {}, 2, r"not \(42\)"),
        ({FIRST + "norm1.weight": np.zeros((14, 1))}, {}, 2, r"not \(14\)"),
        ({"source_embedding.weight": None}, {}, 2, "no source_embedding.weight"),
        ({"source_embedding.weight": np.zeros((0, 14))}, {}, 2, "source_vocabulary|shape"),
        ({"encoder.layers.900000.x": np.zeros(2)}, {}, 2, "no place for encoder.layers.900000"),
        ({"encoder.layers.9.linear1.bias": np.zeros(2)}, {}, 2, "no layer 2 of the encoder, but"),
    ],
)
def test_invalid_files_are_refused_in_one_sentence(
    changed: dict[str, Any], metadata: dict[str, str], heads: int | None, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence) as error:
        config_of_file(file(POST, metadata, **changed), heads)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


def test_the_names_of_arrays_identify_the_family() -> None:
    for stored in STORED.values():
        assert layout_of(stored.under("state")).name.startswith("torch.nn.Transformer")
    for config in (Config.preset("sandbox"), Config(encoder_layers=0), Config(decoder_layers=0)):
        assert own_file.is_own(config.parameter_shapes(), {})
    with pytest.raises(ValueError, match="of no family known here"):
        layout_of({})
