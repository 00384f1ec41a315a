import importlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.math.test_families import HAND_WRITTEN, HUB, STORED, read
from tests.math.test_hugging_face import FILES as HUB_FILES
from tests.math.test_hugging_face import READ
from transformer_math import Transformer, UnknownSetting
from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.given_files import GivenFiles
from transformer_math.checkpoints.layouts import FILES, layouts
from transformer_math.checkpoints.layouts import __path__ as LAYOUT_FOLDERS
from transformer_math.checkpoints.propose import _of_words, proposal
from transformer_math.checkpoints.read_files import read_files
from transformer_math.checkpoints.state import Wanted, read_state

State = dict[str, np.ndarray]
STATES: dict[str, State] = {
    name: GivenFiles(stored.files()).weights().arrays for name, stored in STORED.items()
}
TUTORIAL = STATES["tutorial"]


def renamed(state: State, names: dict[str, str]) -> State:
    """Return the state with other beginnings of its names."""
    found = {}
    for name, array in state.items():
        start = next((old for old in names if name.startswith(old)), "")
        found[names.get(start, "") + name.removeprefix(start)] = array
    return found


def assert_same_parameters(found: Any, expected: Any) -> None:
    assert found.config == expected.config
    assert list(found.parameters) == list(expected.parameters)
    for path, array in expected.parameters.items():
        np.testing.assert_array_equal(found.parameters[path], array, err_msg=path)


# -- wrappers --------------------------------------------------------------------------------------

AROUND = ("src_tok_emb.embedding", "tgt_tok_emb.embedding", "generator", "positional_encoding.")
WRAPPERS = [
    ("src_embedding", "tgt_embedding", "fc_out", "pos_encoder."),
    ("encoder_embedding", "decoder_embedding", "output_layer", "positional_encoding."),
    ("src_emb", "trg_emb", "linear", "pe."),
    ("embed_source", "embed_target", "proj", "position."),
    ("enc_emb.tok", "dec_emb.tok", "head", "posEncoding."),
    ("input_embedding", "output_embedding", "out", "positions."),
    ("inputEmbed.lut", "outputEmbed.lut", "final", "pe."),
    ("source_embedding", "target_embedding", "generator", "pos."),
    ("embeddings.src_word_embeddings", "embeddings.tgt_word_embeddings", "lm_head", "wpe."),
]


@pytest.mark.parametrize("names", WRAPPERS, ids=str)
@pytest.mark.parametrize("inner", ["transformer.", "model.core.", ""])
def test_usual_names_around_torch_models_are_read(names: tuple[str, ...], inner: str) -> None:
    state = renamed(TUTORIAL, {"transformer.": inner, **dict(zip(AROUND, names, strict=True))})
    assert_same_parameters(read_state(state, heads=2), read("tutorial"))


def test_learned_positions_and_a_table_for_all_are_read() -> None:
    state = renamed(TUTORIAL, {"positional_encoding.pos_embedding": "position.weight"})
    state["position.weight"] = np.random.default_rng(1).normal(size=(6, 8))
    config = read_state(state, heads=2).config
    assert (config.positions, config.max_positions) == ("learned", 6)
    del state["position.weight"], state["tgt_tok_emb.embedding.weight"]
    state["embedding.weight"] = state.pop("src_tok_emb.embedding.weight")[:11]
    found = read_state(state, heads=2)
    assert found.config.share_embeddings
    assert not found.config.tie_output
    del state["generator.weight"], state["generator.bias"]
    assert read_state(state, heads=2).config.tie_output


def test_tables_of_two_languages_are_not_guessed() -> None:
    state = renamed(TUTORIAL, {AROUND[0]: "en_embedding", AROUND[1]: "de_embedding"})
    with pytest.raises(ValueError, match=r"no place for de_embedding\.weight, en_embedding"):
        read_state(state, heads=2)
    mapped = proposal(state)
    mapped["arrays"] |= {"en_embedding.weight": "source.W_e", "de_embedding.weight": "target.W_e"}
    found = Transformer.load({"a": safetensors.save(state)}, heads=2, names=mapped)
    assert found.config.positions == "sinusoidal"
    assert_same_parameters(found, read("tutorial"))


@pytest.mark.parametrize("name", [name for name in STORED if name not in HUB])
@pytest.mark.parametrize("prefix", ["module.", "_orig_mod.", "model.", "module.net.transformer."])
def test_names_may_have_any_prefix(name: str, prefix: str) -> None:
    state = {prefix + key: array for key, array in STATES[name].items()}
    model = read(name)
    told = {"causal_mask": True} if name == "language_model" else {}
    found = read_state(state, heads=model.config.heads, **told)
    assert_same_parameters(found, model)


def test_a_single_stack_is_an_encoder_unless_a_mask_is_set() -> None:
    state = STATES["language_model"]
    assert read_state(state, heads=3).config.kind == "encoder-only"
    assert read_state(state, heads=3, causal_mask=True).config.kind == "decoder-only"
    masked = state | {"src_mask": np.triu(np.full((5, 5), -np.inf), 1)}
    found = read_state(masked, heads=3)
    assert (found.config.kind, found.left_out) == ("decoder-only", ["src_mask"])


def test_the_annotated_transformer_with_the_norm_of_pytorch_is_read() -> None:
    state = {
        name.replace("a_2", "weight").replace("b_2", "bias"): array
        for name, array in STATES["annotated"].items()
    }
    config = read_state(state, heads=2).config
    assert (config.norm_deviation, config.epsilon) == ("population", 1e-5)
    assert (read("annotated").config.norm_deviation, read("annotated").config.epsilon) == (
        "sample",
        1e-6,
    )


def test_positions_that_only_one_stack_has_are_ignored() -> None:
    found = read("course")
    assert found.config.max_positions == 9
    assert "rows of encoder.pos_embedding.weight from 9" in found.left_out


# -- files -----------------------------------------------------------------------------------------


def shards(files: dict[str, bytes], count: int = 3) -> dict[str, bytes]:
    """Return the files of a folder with the weights in several parts."""
    arrays, about = safetensors.load(files["model.safetensors"])
    names = list(arrays)
    where, found = {}, {k: v for k, v in files.items() if k != "model.safetensors"}
    for n in range(count):
        part = f"model-{n + 1:05}-of-{count:05}.safetensors"
        these = names[n::count]
        where |= dict.fromkeys(these, part)
        found[part] = safetensors.save({name: arrays[name] for name in these}, about)
    index = {"metadata": {"total_size": 1}, "weight_map": where}
    return {**found, "model.safetensors.index.json": json.dumps(index).encode()}


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("name", READ)
def test_a_folder_of_hugging_face_may_have_its_weights_in_parts(name: str, tmp_path: Path) -> None:
    expected, files = READ[name](HUB_FILES[name], "float64"), shards(HUB_FILES[name])
    folder = write(tmp_path / "a", files)
    ways = (
        *(files, folder, str(folder), folder / "model.safetensors.index.json"),
        folder / "model-00002-of-00003.safetensors",
    )
    for way in ways:
        assert_same_parameters(Transformer.load(way), expected)
    assert_same_parameters(READ[name](files, "float64"), expected)
    lacking = {k: v for k, v in files.items() if "00002-of" not in k}
    with pytest.raises(ValueError, match=r"^model-00002-of-00003\.safetensors of this model is"):
        Transformer.load(lacking)
    part = "model-00001-of-00003.safetensors"
    torn = {**files, part: safetensors.save({"x": np.ones(2)})}
    with pytest.raises(ValueError, match=rf"^{part} has no .*, which the index names\.$"):
        Transformer.load(torn)
    with pytest.raises(ValueError, match=r"has [\d,]+ bytes; at most [\d,]+ are read"):
        GivenFiles(files, limit=sum(map(len, files.values())) // 2).weights()
    index = b'{"weight_map": {"a": "../../secret"}}'
    with pytest.raises(ValueError, match=r"^\.\./\.\./secret of this model is missing\.$"):
        Transformer.load(write(tmp_path / "a", {"model.safetensors.index.json": index}))


def test_the_kind_of_a_file_is_found_by_its_content_and_not_its_name(tmp_path: Path) -> None:
    torch = STORED["annotated"].files()["model.pt"]
    weights = safetensors.save(TUTORIAL)
    for name in ("a.safetensors", "a.txt", "a"):
        (tmp_path / name).write_bytes(torch)
        assert_same_parameters(Transformer.load(tmp_path / name, heads=2), read("annotated"))
        assert Transformer.load({name: weights}, heads=2).config.d_ff == 10
    config = json.dumps({"n_head": 3, "model_type": "gpt2", "activation_function": "relu"})
    files = {"notes": config.encode(), "weights": HUB_FILES["gpt2"]["model.safetensors"]}
    assert Transformer.load(files).config.activation == "relu"


def test_a_folder_with_weights_in_two_formats_is_one_model(tmp_path: Path) -> None:
    files = {**HUB_FILES["bert"], "pytorch_model.bin": b"\x80\x02", "README.md": b"# BERT"}
    folder = write(tmp_path / "a", files)
    assert Transformer.load(folder).config.kind == "encoder-only"
    with pytest.raises(ValueError, match="pickle cannot be read"):
        Transformer.load(folder / "pytorch_model.bin")
    with pytest.raises(ValueError, match="several models: a, b; open one"):
        Transformer.load({"a": safetensors.save(TUTORIAL), "b": safetensors.save(TUTORIAL)})


def test_settings_in_a_checkpoint_are_used() -> None:
    assert read("nanogpt").config.heads == 3
    with pytest.raises(Wanted) as wanted:
        read_files(STORED["tutorial"].files())
    assert wanted.value.choices == [1, 2, 4, 8]
    assert str(wanted.value) == (
        "No shape shows how many attention heads there are: give heads=, one of 1, 2, 4, 8."
    )


def test_settings_of_the_caller_take_precedence_over_those_of_the_files() -> None:
    found = read("bart", activation="relu", dtype="float32", heads=4)
    assert (found.config.activation, found.config.dtype, found.config.heads) == (
        *("relu", "float32"),
        4,
    )
    with pytest.raises(UnknownSetting, match=r'; norm, "pre" or "post" is meant'):
        read("tutorial", norm_first=True)
    own = safetensors.save(
        Transformer(read("course").config, read("course").parameters).parameters,
        {"format": "tinkerformer", "config": json.dumps(read("course").config.as_dict())},
    )
    assert Transformer.load({"a": own}, norm="pre", final_norm=False).config.norm == "pre"


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STORED)
def test_a_proposed_mapping_opens_the_model_like_its_family(name: str) -> None:
    expected = read(name)
    proposed = proposal(STATES[name])
    if name == "language_model":  # no array shows that it is a decoder
        proposed["arrays"] = {
            key: path and path.replace("encoder", "decoder").replace("source", "target")
            for key, path in proposed["arrays"].items()
        }
    found = read_files(STORED[name].files(), expected.config.heads, proposed, dtype="float64")
    assert list(found.parameters) == list(expected.parameters)
    for path, array in expected.parameters.items():
        np.testing.assert_array_equal(found.parameters[path], array, err_msg=path)


@pytest.mark.parametrize("name", [name for name in HAND_WRITTEN if name != "lecture"])
def test_the_words_in_names_lead_to_the_same_mapping_as_the_layouts(name: str) -> None:
    """For models whose layouts are not given to the proposal."""
    state = STATES[name]
    known = proposal(state)["arrays"]
    assert _of_words(state) == known


def test_a_mapping_is_read_from_a_file_of_its_own_or_among_the_files(tmp_path: Path) -> None:
    strange = {f"x{n}": array for n, array in enumerate(TUTORIAL.values())}
    paths = dict(zip(strange, proposal(TUTORIAL)["arrays"].values(), strict=True))
    names = {"settings": {"heads": 2, "norm": "post"}, "arrays": paths}
    weights = safetensors.save(strange)
    file = tmp_path / "names.json"
    file.write_text(json.dumps(names), encoding="utf-8")
    for way in (str(file), file, names, json.dumps(names).encode()):
        assert_same_parameters(Transformer.load({"a": weights}, names=way), read("tutorial"))
    beside = {"a": weights, "mine": json.dumps(names).encode()}
    assert_same_parameters(Transformer.load(beside), read("tutorial"))
    assert_same_parameters(Transformer.load({"a": weights}, 2, paths), read("tutorial"))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"generator.bias": "output.b_t"}, r"generator\.bias is read as output\.b_t"),
        ({"generator.bias": None}, ""),
        ({"generator.bias": "b_out; import os"}, "is no path of a parameter"),
        ({"generator.bias": 3}, r"neither a path nor null for generator\.bias"),
        (
            {"transformer.encoder.norm.weight": None},
            r"maps no array to encoder\.norm|maps no array to encoder\.final",
        ),
        (
            {"transformer.encoder.layers.0.linear1.weight": "encoder.0.feed_forward.W_2"},
            r"maps no array to encoder\.0\.feed_forward\.W_1, which asks for",
        ),
        (
            {"generator.weight": "encoder.0.self_attn.W_o"},
            r"generator\.weight has the shape \(11, 8\), not \(8, 8\)|other numbers",
        ),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused(changed: dict[str, Any], sentence: str) -> None:
    names = proposal(TUTORIAL)
    names["arrays"] |= changed
    if not sentence:
        assert not read_files(STORED["tutorial"].files(), 2, names).config.output_bias
        return
    with pytest.raises(ValueError, match=sentence) as error:
        read_files(STORED["tutorial"].files(), 2, names)
    assert "\n" not in str(error.value)


# -- refused models --------------------------------------------------------------------------------

SQUARE = np.ones((8, 8))
REFUSED: dict[str, tuple[dict[str, Any] | None, State, str]] = {
    "T5 by its config": (
        {"model_type": "t5", "relative_attention_num_buckets": 32},
        {},
        r"^This model \(t5\) has relative positions, which Tinkerformer does not compute\.$",
    ),
    "T5 by its names": (
        None,
        {"encoder.block.0.layer.0.SelfAttention.q.weight": SQUARE},
        r"^This model \(T5\) has relative positions, which",
    ),
    "Llama by its config": (
        {"model_type": "llama", "num_attention_heads": 8, "num_key_value_heads": 2},
        {},
        r"\(llama\) has rotary positions and grouped queries, which",
    ),
    "Llama by its names": (
        None,
        {
            "model.layers.0.self_attn.q_proj.weight": SQUARE,
            "model.layers.0.self_attn.k_proj.weight": SQUARE[:2],
            "model.layers.0.mlp.gate_proj.weight": SQUARE,
        },
        r"\(Llama\) has rotary positions and grouped queries, which",
    ),
    "Mixtral": (
        {"model_type": "mixtral", "rope_theta": 1e6, "num_local_experts": 8, "rms_norm_eps": 1e-5},
        {},
        "rotary positions, norms without a mean .* and experts that a router chooses",
    ),
    "NeoX": (
        None,
        {"gpt_neox.layers.0.attention.query_key_value.weight": SQUARE},
        "GPT-NeoX. has rotary positions",
    ),
    "LSTM": (None, {"encoder.rnn.weight_ih_l0": SQUARE}, "a recurrent network"),
    "LoRA": (None, {"base.q_proj.lora_A.weight": SQUARE}, "an adapter without the model"),
    "another type": (
        {"model_type": "perceiver"},
        {},
        "of the type 'perceiver', which is none of bart, bert, gpt2, marian, mbart",
    ),
    "no type": ({"model_type": None}, {}, "are of no family known here"),
    "an odd type": ({"model_type": ["gpt2"]}, {}, "of the type"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_model_that_cannot_be_computed_is_refused_in_one_sentence(name: str) -> None:
    config, state, sentence = REFUSED[name]
    files = {"model.safetensors": safetensors.save(state | {"other": np.ones(3)})}
    if config is not None:
        files["config.json"] = json.dumps(config).encode()
    with pytest.raises(ValueError, match=sentence) as error:
        Transformer.load(files)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_state_is_refused_in_a_sentence(data: st.DataObject) -> None:
    """Arrays are removed, renamed or reshaped; the state is read or refused in a sentence."""
    name = data.draw(st.sampled_from(sorted(STATES)))
    state = dict(STATES[name])
    for _ in range(data.draw(st.integers(1, 3))):
        key = data.draw(st.sampled_from(sorted(state)))
        array = state.pop(key)
        how = data.draw(st.sampled_from(["lost", "renamed", "reshaped", "number", "other layer"]))
        if how == "renamed":
            state[data.draw(st.sampled_from(["x", f"{key}.x", "encoder.norm.weight"]))] = array
        elif how == "reshaped":
            shapes = ((), (0,), (3,), (2, 3), (8, 8), (1, 2, 3, 4))
            state[key] = np.ones(data.draw(st.sampled_from(shapes)))
        elif how == "number":
            state[key] = np.arange(3)
        elif how == "other layer":
            state[re.sub(r"\.\d+\.", ".999999.", key, count=1)] = array
    heads = data.draw(st.sampled_from([None, 0, 1, 2, 3, 9]))
    config = data.draw(st.sampled_from([None, GivenFiles(STORED["bart"].files()).config()]))
    said = ""
    try:
        found = read_state(state, heads=heads, config_json=config)
        Transformer(found.config, found.parameters)
    except ValueError as error:
        said = str(error)
    assert "\n" not in said
    assert said[-1:] in ("", ".")


# -- layouts ---------------------------------------------------------------------------------------


def test_a_layout_has_at_most_forty_lines_in_one_file() -> None:
    (folder,) = LAYOUT_FOLDERS
    files = {file.stem: file for file in Path(folder).glob("*.py")}
    assert set(files) == {*FILES, "__init__", "layout"}
    for name in FILES:
        module = importlib.import_module(f"transformer_math.checkpoints.layouts.{name}")
        lines = filter(str.strip, files[name].read_text(encoding="utf-8").splitlines())
        assert len(list(lines)) <= 40 * len(module.LAYOUTS), name


def test_every_layout_is_tested_with_a_model() -> None:
    read_here = {*HAND_WRITTEN.values(), *HUB.values(), "GPT-2", "BERT", "Marian"}
    assert {layout.name for layout in layouts()} == read_here
