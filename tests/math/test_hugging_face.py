"""GPT-2 and BERT in Hugging Face's files, compared with the output of ``transformers``."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.math.stored import load
from transformer_math import (
    Config,
    Decoding,
    Labels,
    Transformer,
    beam_search,
    gradients,
    greedy_decode,
)
from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.read_files import read_files
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.state import read_state
from transformer_math.graph.trace import Trace

STORED = {name: load(name) for name in ("gpt2", "bert")}
READ = {"gpt2": Transformer.from_gpt2, "bert": Transformer.from_bert}
BOTH = pytest.mark.parametrize("name", STORED)
IGNORED = -100  # the library ignores this label


FILES = {name: stored.files() for name, stored in STORED.items()}
CONFIGS = {name: json.loads(files["config.json"]) for name, files in FILES.items()}
STATES = {
    name: safetensors.load(files["model.safetensors"]).arrays for name, files in FILES.items()
}


def convert(
    config: dict[str, Any], state: dict[str, np.ndarray], dtype: str = "float64"
) -> tuple[Config, dict[str, np.ndarray]]:
    found = read_state(state, config_json=config, dtype=dtype)
    return found.config, found.parameters


def run(name: str, dtype: str = "float64") -> Trace:
    """Return the pass with the loss that the library computes."""
    model, arrays = READ[name](FILES[name], dtype), STORED[name].arrays
    ids = arrays["ids"]
    if name == "gpt2":
        return model(None, ids[:, :-1], labels=ids[:, 1:])
    labels = np.where(arrays["labels"] == IGNORED, model.config.source_pad, arrays["labels"])
    return model(ids, labels=labels)


STREAM = {  # hidden states of the library; GPT-2's last one is after the final norm
    "gpt2": ["target.dropout", "decoder.0.feed_forward.residual", "decoder.final.norm"],
    "bert": ["source.dropout", "encoder.0.feed_forward.norm", "encoder.1.feed_forward.norm"],
}


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-12), ("float32", 2e-5)])
@BOTH
def test_states_and_attention_and_logits_agree(name: str, dtype: str, tolerance: float) -> None:
    stored = STORED[name]
    model, ids = READ[name](FILES[name], dtype), stored.arrays["ids"]
    trace = model(None, ids) if name == "gpt2" else model(ids)
    stack = "decoder" if name == "gpt2" else "encoder"
    pairs = [(path, f"hidden/{n}") for n, path in enumerate(STREAM[name])]
    pairs += [(f"{stack}.{n}.self_attn.weights", f"attention/{n}") for n in (0, 1)]
    for path, theirs in [*pairs, ("output.logits", "logits")]:
        expected, value = stored.arrays[theirs], trace[path].value
        assert value.dtype == dtype
        scale = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(value, expected, rtol=0, atol=tolerance * scale, err_msg=path)
    logits = model.logits(None, ids) if name == "gpt2" else model.logits(ids)
    np.testing.assert_array_equal(logits, trace["output.logits"].value)


@BOTH
def test_the_loss_and_the_gradient_of_every_parameter_equal_the_reference(name: str) -> None:
    """The library's gradients are converted as the weights are."""
    stored, trace = STORED[name], run(name)
    assert trace["output.loss"].value == pytest.approx(stored.arrays["loss"], rel=1e-12)
    theirs = stored.under("grad")
    if name == "bert":  # every position also has its segment's gradient, which counts once
        segments = theirs["bert.embeddings.token_type_embeddings.weight"]
        positions = theirs["bert.embeddings.position_embeddings.weight"]
        np.testing.assert_allclose(segments[0], positions.sum(0), rtol=1e-10)
        theirs = {**theirs, "bert.embeddings.token_type_embeddings.weight": 0 * segments}
    _, expected = convert(CONFIGS[name], theirs, "float64")
    found = gradients(trace, list(expected))
    assert expected.keys() == READ[name](FILES[name]).config.parameter_shapes().keys()
    for path, array in expected.items():
        scale = max(1.0, np.abs(array).max())
        np.testing.assert_allclose(found[path], array, rtol=0, atol=1e-12 * scale, err_msg=path)


@pytest.mark.parametrize("way", ["greedy", "beam"])
def test_gpt_2_continues_a_text_as_the_library_does(way: str) -> None:
    stored, model = STORED["gpt2"], READ["gpt2"](FILES["gpt2"], "float64")
    prompt, new = stored.config["prompt"], stored.config["new"]
    for row in stored.arrays[way].tolist():
        first, *given = row[:prompt]
        decoding = Decoding(first, 1, new, prefix=given)
        if way == "greedy":
            written = greedy_decode(model, None, decoding).ids[0].tolist()
        else:
            found = beam_search(model, None, decoding, beam_size=3)
            written = found.path(found.best)
        assert written == row[prompt : prompt + len(written)]


def test_the_config_equals_that_of_the_files() -> None:
    config = READ["gpt2"](FILES["gpt2"]).config
    assert (config.kind, config.norm, config.has_final_norm) == ("decoder-only", "pre", True)
    assert (config.heads, config.d_ff, config.max_positions) == (3, 22, 11)
    assert (config.activation, config.epsilon) == ("gelu_tanh", 1e-4)
    assert (config.tie_output, config.embedding_scale) == (True, False)
    rates = config.dropout
    assert (rates.embedding, rates.attention_weights, rates.activation) == (0.3, 0.15, 0)
    assert rates.attention_output == rates.feed_forward_output == 0.2
    config = READ["bert"](FILES["bert"]).config
    assert (config.kind, config.norm, config.has_final_norm) == ("encoder-only", "post", False)
    assert (config.embedding_norm, config.output_transform, config.output_bias) == (True,) * 3
    assert (config.activation, config.epsilon, config.source_pad) == ("gelu", 1e-6, 0)
    assert (config.dropout.embedding, config.dropout.attention_weights) == (0.2, 0.15)


# -- files of other versions, and invalid files -------------------------------------------------


def write(folder: Path, config: dict[str, Any], state: dict[str, np.ndarray]) -> Path:
    """Write the folder of a model, as ``save_pretrained`` does."""
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at, chunks = 0, []
    for name, array in state.items():
        data = array.tobytes()
        kind = {"float64": "F64", "float32": "F32", "int64": "I64", "bool": "BOOL"}
        shape, ends = list(array.shape), [at, at + len(data)]
        header[name] = {"dtype": kind[array.dtype.name], "shape": shape, "data_offsets": ends}
        at += len(data)
        chunks.append(data)
    text = json.dumps(header).encode()
    content = len(text).to_bytes(8, "little") + text + b"".join(chunks)
    (folder / "model.safetensors").write_bytes(content)
    return folder


def test_a_folder_of_gpt_2_may_lack_the_prefix_and_have_masks_and_a_stored_output(
    tmp_path: Path,
) -> None:
    """As in the first files: the mask beside the weights, and the tied output stored again."""
    state = {key.removeprefix("transformer."): array for key, array in STATES["gpt2"].items()}
    for n in (0, 1):
        state[f"h.{n}.attn.bias"] = np.tril(np.ones((1, 1, 11, 11), bool))
        state[f"h.{n}.attn.masked_bias"] = np.array(-1e4, np.float32)
    state["lm_head.weight"] = state["wte.weight"]
    model = Transformer.from_gpt2(write(tmp_path, CONFIGS["gpt2"], state), "float64")
    assert model.config == READ["gpt2"](FILES["gpt2"], "float64").config
    np.testing.assert_array_equal(
        model.logits(None, [1, 2, 3]),
        READ["gpt2"](FILES["gpt2"], "float64").logits(None, [1, 2, 3]),
    )


def test_an_output_of_its_own_is_used() -> None:
    """Without a tied output, the logits depend on it."""
    random = np.random.default_rng(1)
    own = random.normal(size=(17, 15))
    config, arrays = convert(CONFIGS["gpt2"], {**STATES["gpt2"], "lm_head.weight": own})
    assert not config.tie_output
    np.testing.assert_array_equal(arrays["output.W_out"], own.T)
    state = {**STATES["bert"], "cls.predictions.decoder.weight": random.normal(size=(19, 15))}
    config, arrays = convert(CONFIGS["bert"], state)
    assert not config.tie_output
    np.testing.assert_array_equal(arrays["output.W_out"].T, state["cls.predictions.decoder.weight"])


def test_bert_can_have_the_names_of_its_first_files(tmp_path: Path) -> None:
    """γ and β have their own names there; position_ids are beside the tables."""
    state = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): array
        for name, array in STATES["bert"].items()
    }
    state["bert.embeddings.position_ids"] = np.arange(9)[None]
    model = Transformer.from_bert(write(tmp_path, CONFIGS["bert"], state), "float64")
    expected = READ["bert"](FILES["bert"], "float64").parameters
    for path, array in model.parameters.items():
        np.testing.assert_array_equal(array, expected[path])


@pytest.mark.parametrize(
    ("name", "changed", "sentence"),
    [
        ("gpt2", {"model_type": "llama"}, "model type 'llama'; read is 'gpt2'"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "the layer's number"),
        ("gpt2", {"add_cross_attention": True}, "asks for cross-attention"),
        ("gpt2", {"activation_function": "quick_gelu"}, "'quick_gelu' is none of relu"),
        ("gpt2", {"n_head": 4}, "no multiple of 4 heads"),
        ("gpt2", {"n_layer": 3}, r"no transformer\.h\.2\.ln_1\.weight"),
        ("gpt2", {"n_layer": 1}, r"^transformer\.h\.1.*does not have"),
        ("gpt2", {"n_positions": 12}, r"wpe.weight has the shape \(11, 15\)"),
        ("gpt2", {"n_embd": "15"}, "n_embd is no whole number"),
        ("gpt2", {"resid_pdrop": 1}, "resid_pdrop lies from 0 to below 1"),
        ("bert", {"model_type": "roberta"}, "model type 'roberta'; read is 'bert'"),
        ("bert", {"is_decoder": True}, "asks for a decoder"),
        ("bert", {"position_embedding_type": "relative_key"}, "relative positions"),
        ("bert", {"num_hidden_layers": 1}, r"^bert\.encoder\.layer\.1.*does not have"),
        ("bert", {"pad_token_id": -1}, "pad_token_id is no whole number from 0"),
    ],
)
def test_an_unsuitable_config_is_refused(name: str, changed: dict[str, Any], sentence: str) -> None:
    files = {**FILES[name], "config.json": json.dumps({**CONFIGS[name], **changed}).encode()}
    with pytest.raises(ValueError, match=sentence):
        read_files(files, family=name)


def test_a_bert_without_its_head_or_a_folder_without_a_file_is_refused(tmp_path: Path) -> None:
    bare = {key: array for key, array in STATES["bert"].items() if not key.startswith("cls.")}
    with pytest.raises(ValueError, match="no head for masked words"):
        convert(CONFIGS["bert"], bare)
    with pytest.raises(CheckpointError, match=r"no weights among these files"):
        Transformer.load({"config.json": b"{}", "vocab.txt": b"a"})
    with pytest.raises(CheckpointError, match="no JSON object"):
        Transformer.load({**FILES["gpt2"], "config.json": b"[]"})
    with pytest.raises(ValueError, match=r"config\.json is missing"):
        Transformer.from_gpt2(tmp_path)
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        Transformer.from_gpt2(tmp_path / "nowhere")
    write(tmp_path, CONFIGS["gpt2"], STATES["gpt2"])
    assert Transformer.load(tmp_path).config == READ["gpt2"](FILES["gpt2"], "float64").config


def test_an_opened_model_is_saved_and_loaded_and_learns(tmp_path: Path) -> None:
    """Once opened, it is an ordinary model of the project."""
    model = READ["bert"](FILES["bert"])
    model.save(tmp_path)
    again = Transformer.load(tmp_path)
    assert again.config == model.config
    np.testing.assert_array_equal(again.logits([3, 4, 0]), model.logits([3, 4, 0]))
    trace = again([3, 4, 0], labels=Labels([0, 5, 0]))
    assert set(gradients(trace, again.parameters)) == set(again.parameters)
