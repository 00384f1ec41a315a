"""Models in Hugging Face's files, compared with the output of ``transformers``."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.math.stored import load
from transformer_math import Config, Transformer
from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.marian_folder import MarianCheckpoint, open_checkpoint
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.state import layout_of, read_state
from transformer_math.checks import NoSuchFile

STORED = {name: load(name) for name in ("marian_shared", "marian_separate", "marian_untied")}
CASES = pytest.mark.parametrize("name", STORED)


FILES = {name: stored.files() for name, stored in STORED.items()}
CONFIG: dict[str, Any] = json.loads(FILES["marian_shared"]["config.json"])
STATE = safetensors.load(FILES["marian_shared"]["model.safetensors"]).arrays
LAYER = "model.encoder.layers.1."


def convert(
    config: dict[str, Any], state: dict[str, np.ndarray]
) -> tuple[Config, dict[str, np.ndarray]]:
    found = read_state(state, config_json=config)
    return found.config, found.parameters


def opened(name: str, dtype: str = "float32") -> MarianCheckpoint:
    return open_checkpoint(FILES[name], dtype)


# In single precision, rounding that depends on the processor adds up to 5e-5 in these models.
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-13), ("float32", 1e-4)])
@CASES
def test_memory_and_logits_equal_the_reference(name: str, dtype: str, tolerance: float) -> None:
    arrays, model = STORED[name].arrays, Transformer.from_marian(FILES[name], dtype)
    ids = arrays["source_ids"], arrays["target_ids"]
    trace = model(*ids)
    last = f"encoder.{model.config.encoder_layers - 1}.feed_forward.norm"
    for found, expected in (
        (trace[last].value, arrays[f"{dtype}/memory"]),
        (trace["output.logits"].value, arrays[f"{dtype}/logits"]),
        (model.logits(*ids), arrays[f"{dtype}/logits"]),
    ):
        assert found.dtype == expected.dtype == dtype
        scale = np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


@CASES
def test_greedy_translations_equal_the_reference(name: str) -> None:
    """They start from ``<pad>``, which is never chosen; after the end, there is padding."""
    stored, held = STORED[name], opened(name)
    model = Transformer(held.config, held.parameters)
    for source, expected in zip(stored.arrays["source_ids"], stored.arrays["greedy"], strict=True):
        ids = [held.start]
        while len(ids) < len(expected):
            logits = model.logits(source, ids)[-1]
            logits[list(held.forbidden_tokens)] = -np.inf
            ended = held.end in ids
            ids.append(held.pad if ended else int(logits.argmax()))
        assert ids == expected.tolist()


def test_some_translations_end_and_differ_by_their_source() -> None:
    """Otherwise the test above could not detect a wrong end or an ignored source."""
    assert any((stored.arrays["greedy"] == 0).any() for stored in STORED.values())
    for stored in STORED.values():
        assert len(np.unique(stored.arrays["greedy"], axis=0)) == 3


@CASES
def test_the_config_equals_that_of_the_files(name: str) -> None:
    told, config = STORED[name].config, opened(name).config
    assert config.d_model == told["d_model"]
    assert config.heads == told["heads"]
    assert config.d_ff == told["ffn"]
    assert config.encoder_layers == told["encoder_layers"]
    assert config.decoder_layers == told["decoder_layers"]
    assert config.embedding_scale == told["scale_embedding"]
    assert config.share_embeddings == told.get("share_encoder_decoder_embeddings", True)
    assert config.tie_output == told.get("tie_word_embeddings", True)
    assert config.source_pad == told["pad"]
    assert config.target_pad is None
    assert config.dropout.embedding == config.dropout.feed_forward_output == 0.1
    assert config.dropout.attention_weights == 0.2
    assert config.dropout.activation == 0.3


@CASES
def test_every_number_of_the_file_is_used(name: str) -> None:
    state = safetensors.load(FILES[name]["model.safetensors"]).arrays
    given = sum(array.size for array in state.values())
    assert opened(name).config.parameter_count() == given


@CASES
def test_words_and_ids_equal_those_of_the_tokenizer(name: str) -> None:
    """`MarianTokenizer` computed them; the untied model has files like the separate one."""
    held, told = opened(name), STORED[name].config["tokenized"]
    for text, ids in told["source"]:
        assert held.source_ids(text) == ids, text
    for text, ids in told["target"]:
        assert held.target_ids(text) == ids, text
    for ids, text in told["decoded"]:
        assert held.text([held.start, *ids, held.pad]) == text, ids
    words = json.loads(FILES[name]["vocab.json"])
    assert [words[token] for token in held.source_tokens] == list(range(len(words)))
    assert held.start == held.pad == STORED[name].config["pad"]
    assert held.target_tokens[held.pad] == "<pad>"
    assert held.target_tokens[held.end] == "</s>"
    assert held.forbidden_tokens == (held.pad,)


def test_a_folder_and_uploaded_files_give_the_same_model(tmp_path: Path) -> None:
    for name, data in FILES["marian_separate"].items():
        (tmp_path / name).write_bytes(data)
    here, there = open_checkpoint(tmp_path), opened("marian_separate")
    assert here.target_tokens == there.target_tokens
    assert here.source_ids("the cat") == there.source_ids("the cat")
    for model in (here, Transformer.from_marian(str(tmp_path))):
        assert model.config == there.config
        for path, array in there.parameters.items():
            np.testing.assert_array_equal(model.parameters[path], array)


def test_some_files_may_be_missing() -> None:
    few = {name: FILES["marian_shared"][name] for name in ("config.json", "model.safetensors")}
    model = Transformer.from_marian(few)
    assert model.config.d_model == 12
    held = open_checkpoint({**few, "vocab.json": FILES["marian_shared"]["vocab.json"]})
    assert held.source_pieces is None
    assert held.forbidden_tokens == ()
    with pytest.raises(ValueError, match=r"^The files came without source\.spm"):
        held.source_ids("a cat")


def test_ids_for_generation_take_precedence_over_those_of_the_model() -> None:
    asked = {"decoder_start_token_id": 7, "eos_token_id": [3], "bad_words_ids": [[5], [6, 7]]}
    held = open_checkpoint(
        {**FILES["marian_shared"], "generation_config.json": json.dumps(asked).encode()}
    )
    assert (held.start, held.end, held.forbidden_tokens) == (7, 3, (5,))


def test_states_of_other_versions_are_read() -> None:
    """Older files contain tied tables several times, and positions, and no last bias."""
    table, expected = STATE["model.shared.weight"], convert(CONFIG, STATE)
    names = ["model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"]
    more = STATE | dict.fromkeys([*names, "lm_head.weight"], table)
    angle = np.arange(9)[:, None] / 10000 ** (np.arange(6) / 6)
    waves = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    more["model.encoder.embed_positions.weight"] = waves.astype(np.float16)
    config, parameters = convert(CONFIG, more)
    assert config == expected[0]
    assert parameters.keys() == expected[1].keys()
    unbiased = {name: array for name, array in STATE.items() if name != "final_logits_bias"}
    config, parameters = convert(CONFIG, unbiased)
    assert not config.output_bias
    assert "output.b_out" not in parameters


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"model_type": "bart"}, "model type 'bart'; read is 'marian'"),
        ({"model_type": None}, "model type None"),
        ({"normalize_before": True}, "norms that Marian's layers do not have"),
        ({"activation_function": "quick_gelu"}, "activation 'quick_gelu' is none of relu, gelu"),
        ({"activation_function": ["relu"]}, "is none of relu"),
        ({"d_model": "12"}, "d_model is no whole number from 1: '12'"),
        ({"d_model": 14}, "multiple of heads|shape"),
        ({"encoder_layers": True}, "encoder_layers is no whole number"),
        ({"encoder_layers": 3}, "no model.encoder.layers.2"),
        ({"encoder_layers": 1}, r"^model\.encoder\.layers\.1.*does not have"),
        ({"decoder_ffn_dim": 11}, "encoder_ffn_dim is 10 and its decoder_ffn_dim is 11"),
        ({"encoder_ffn_dim": 11, "decoder_ffn_dim": 11}, r"fc1.weight has the shape \(10, 12\)"),
        ({"vocab_size": 58}, r"has the shape \(57, 12\), not \(58, 12\)"),
        ({"pad_token_id": 57}, "source_pad is a whole number from 0 to 56"),
        ({"scale_embedding": 1}, "scale_embedding is neither true nor false"),
        ({"dropout": float("nan")}, "dropout lies from 0 to below 1"),
        ({"share_encoder_decoder_embeddings": False, "decoder_vocab_size": 9}, r"not \(9, 12\)"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(changed: dict[str, Any], sentence: str) -> None:
    files = {**FILES["marian_shared"], "config.json": json.dumps({**CONFIG, **changed}).encode()}
    with pytest.raises(ValueError, match=sentence) as told:
        Transformer.from_marian(files)
    assert str(told.value).endswith(".")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({LAYER + "fc1.bias": None}, r"The state has no model\.encoder\.layers\.1\.fc1\.bias"),
        ({LAYER + "fc1.bias": np.zeros(11)}, r"has the shape \(11,\), not \(10\)"),
        ({LAYER + "self_attn.q_proj.weight": np.zeros(144)}, r"shape \(144,\), not \(12, 12\)"),
        ({LAYER + "self_attn.q_proj.weight": np.zeros((12, 6))}, r"\(12, 6\), not \(12, 12\)"),
        ({"final_logits_bias": np.zeros(56)}, r"not \(57\)"),
        ({"model.shared.weight": None}, r"no encoder\.embed_tokens\.weight"),
        ({"lm_head.weight": np.zeros((3, 12))}, r"lm_head.weight has the shape \(3, 12\)"),
        ({"model.encoder.layernorm_embedding.weight": np.ones(12)}, "no place for"),
        ({"model.decoder.embed_positions.weight": np.ones((9, 12))}, "no encoder.embed_positions"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(changed: dict[str, Any], sentence: str) -> None:
    state = {name: array for name, array in {**STATE, **changed}.items() if array is not None}
    with pytest.raises(ValueError, match=sentence) as told:
        convert(CONFIG, state)
    assert str(told.value).endswith(".")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"config.json": None}, "config.json is missing"),
        ({"vocab.json": None}, "vocab.json is missing"),
        ({"model.safetensors": None}, "no weights among these files"),
        ({"model.safetensors": b"\x80\x04"}, "pickle cannot be read"),
        ({"config.json": b"{"}, "config.json is not JSON"),
        ({"config.json": b"[1]"}, "config.json is no JSON object"),
        ({"config.json": b" " * ((32 << 20) + 1)}, "at most 33,554,432 are read"),
        ({"generation_config.json": b"\xff"}, "generation_config.json is not JSON"),
        ({"generation_config.json": b'{"eos_token_id": 57}'}, "eos_token_id is no word"),
        ({"generation_config.json": b'{"eos_token_id": [0, 1]}'}, "eos_token_id is no word"),
        ({"generation_config.json": b'{"bad_words_ids": [[-1]]}'}, "bad_words_ids is no word"),
        ({"vocab.json": b'{"a": 0}'}, "vocab.json has 1 words, the model 57"),
        ({"vocab.json": b'{"a": 0, "b": 0}'}, "other ids than 0 to 1, each once"),
        ({"vocab.json": b'{"a": true}'}, "no whole number for each word"),
        ({"target_vocab.json": b'{"a": 0}'}, "target_vocab.json has 1 words, the model 57"),
        ({"source.spm": b"?"}, "not a SentencePiece file"),
    ],
)
def test_files_that_do_not_fit_are_refused(changed: dict[str, Any], sentence: str) -> None:
    files = {**FILES["marian_shared"], **changed}
    with pytest.raises(ValueError, match=sentence) as told:
        open_checkpoint({name: data for name, data in files.items() if data is not None})
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match=r"^There is no file or folder .*nowhere\.$"):
        Transformer.from_marian(tmp_path / "nowhere")


def test_an_upload_has_the_limit_of_the_page_and_a_folder_a_larger_one() -> None:
    data = FILES["marian_shared"]["model.safetensors"]
    assert safetensors.load(data, limit=len(data)).arrays.keys() == STATE.keys()
    with pytest.raises(CheckpointError, match="at most 0 MB"):
        safetensors.load(data, limit=len(data) - 1)
    large = {**FILES["marian_shared"], "model.safetensors": data + bytes(safetensors.MAX_BYTES)}
    with pytest.raises(CheckpointError, match="at most 67,108,864 are read"):
        Transformer.from_marian(large)


@CASES
def test_the_names_of_arrays_identify_the_family(name: str) -> None:
    state = safetensors.load(FILES[name]["model.safetensors"]).arrays
    assert layout_of(state).name == "Marian"
    norm = {"model.decoder.layernorm_embedding.weight": np.ones(1)}
    assert layout_of(state | norm).name == "BART"
    with pytest.raises(ValueError, match="of no family known here"):
        layout_of(state | {"model.decoder.layer_norm.weight": np.ones(1)})
