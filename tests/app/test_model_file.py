import csv as standard
import io
import json
import struct

import numpy as np
import pytest
from tinkerformer.files import csv, model_file, npy
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math.checkpoints import safetensors
from transformer_math.data.tokenizer import PAD


def saved(scenario: Scenario) -> bytes:
    return model_file.save(scenario, ForwardPassRunner().trace(scenario))


def probabilities(scenario: Scenario) -> np.ndarray:
    return ForwardPassRunner().trace(scenario)["output.probabilities"].value


# -- CSV and .npy --------------------------------------------------------------------------------


def read_csv(data: bytes) -> list[list[str]]:
    return list(standard.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_restores_the_same_floats():
    values = np.array([[1 / 3, -2e-7], [1e20, -np.inf]], np.float32)
    rows = read_csv(csv.table(values, ["a", "b"], ["x", "y"], "M"))
    assert rows[0] == ["M", "x", "y"]
    assert [row[0] for row in rows[1:]] == ["a", "b"]
    numbers = np.array([[float(x) for x in row[1:]] for row in rows[1:]], np.float32)
    assert numbers.tobytes() == values.tobytes()


def test_csv_quotes_as_rfc_4180_requires():
    labels = ["a,b", 'say "hi"', "two\nlines"]
    data = csv.table(np.zeros((3, 1)), labels, ["ü"], "")
    assert [row[0] for row in read_csv(data)[1:]] == labels
    assert b'"say ""hi"""' in data
    assert data.endswith(b"\r\n")
    assert csv.table(np.zeros((1, 1)), ["\ud800"], ["x"])  # half a surrogate pair
    for label in ("cat", "<sos>", "d0", "W₁^Q", "don't", "a-b", "1=1", ""):
        assert csv.harmless(label) == label


@pytest.mark.parametrize(
    "token",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        '"=1',
        "\uff1d1+1",
        "|calc",
        "a;=1+1",
        "a,=HYPERLINK()",
        "a\n=1",
        ';"=1',
    ],
)
def test_a_spreadsheet_does_not_run_a_label(token):
    cell = csv.harmless(token)
    for separator in ";,\t\n\r":
        for part in cell.split(separator):
            assert not part.lstrip(' "\t\r\n').startswith(tuple("=+-@|\uff1d"))
    assert cell.replace("'", "") == token


def test_npy_is_read_without_pickle():
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    read = np.load(io.BytesIO(npy.array(values)), allow_pickle=False)
    np.testing.assert_array_equal(read, values)


# -- model files ---------------------------------------------------------------------------------

MODELS = {
    "default": Scenario(),
    "edited": Scenario().with_value("source.W_e", (1, 2), 3.5),
    "tied": Scenario().with_setting("tie_output", True),
    "pre": Scenario().with_setting("norm", "pre").with_setting("heads", 4),
    "learned": Scenario().with_setting("positions", "learned").with_setting("output_bias", True),
    "encoder": Scenario().with_setting("decoder_layers", 0),
    "decoder": Scenario().with_setting("encoder_layers", 0).with_setting("d_ff", 5),
    "widths": Scenario().with_setting("d_k", 3).with_setting("d_v", 5).with_setting("seed", 7),
    "padded": Scenario().with_tokens("source", ["a", PAD]).with_tokens("target", [PAD, "b"]),
    "odd words": Scenario().with_tokens("source", ["", "é", "'", '"', "a b"]),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_saved_model_opens_with_the_same_numbers(name):
    scenario = MODELS[name]
    elsewhere = Scenario().with_tokens("source", ["x"]).with_setting("d_model", 12)
    opened = model_file.load(saved(scenario), elsewhere, "mine")
    assert probabilities(opened).tobytes() == probabilities(scenario).tobytes()
    assert opened.settings == scenario.settings
    assert not opened.edits
    assert opened.weights is not None
    assert opened.weights.name == "mine"


def test_opening_a_model_keeps_view_and_dropout():
    now = Scenario().with_training(True).with_view("palette", "safe")
    opened = model_file.load(saved(Scenario()), now)
    assert opened.training
    assert opened.view == now.view


def test_models_with_equal_numbers_are_equal():
    one, two = (model_file.load(saved(MODELS["edited"]), Scenario()) for _ in range(2))
    assert one == two
    assert hash(one.weights) == hash(two.weights)
    assert one != model_file.load(saved(Scenario()), Scenario())
    with pytest.raises(ValueError, match="read-only"):
        one.weights.arrays["source.W_e"][0, 0] = 1


def test_tokens_can_be_typed_and_moved_with_loaded_weights():
    edited = MODELS["edited"]
    opened = model_file.load(saved(edited), Scenario())
    words = ["mat", "cat", "new", "the"]
    table = ForwardPassRunner().trace(opened.with_tokens("source", words))["source.W_e"].value
    expected = ForwardPassRunner().trace(edited.with_tokens("source", words))["source.W_e"].value
    np.testing.assert_array_equal(table, expected)  # the row of the new word is drawn from the seed


def test_weights_stay_while_they_fit():
    opened = model_file.load(saved(MODELS["edited"]), Scenario())
    assert opened.with_setting("activation", "gelu").weights == opened.weights
    assert opened.with_value("source.W_e", (0, 0), 1).weights == opened.weights
    for name, raw in (("d_model", 12), ("encoder_layers", 2), ("tie_output", True), ("seed", 3)):
        changed = opened.with_setting(name, raw)
        assert changed.weights is None
        assert probabilities(changed).shape == (3, 8)
    assert probabilities(opened.with_weights(None)).tobytes() == probabilities(Scenario()).tobytes()


def test_a_file_without_settings_is_read_with_the_settings_of_the_page():
    arrays = safetensors.load(saved(MODELS["edited"])).arrays
    opened = model_file.load(safetensors.save(arrays), Scenario())
    assert probabilities(opened).tobytes() == probabilities(MODELS["edited"]).tobytes()


def changed(path: str | None = None, array: np.ndarray | None = None, **metadata: str) -> bytes:
    """Return a saved model with changed contents."""
    arrays, stored = safetensors.load(saved(Scenario()))
    if path and array is None:
        del arrays[path]
    elif path and array is not None:
        arrays[path] = array
    return safetensors.save(arrays, {**stored, **metadata})


def config(**changes: object) -> str:
    _, stored = safetensors.load(saved(Scenario()))
    return json.dumps({**json.loads(stored["config"]), **changes})


W_Q = "encoder.0.self_attn.W_q"
REFUSED = {
    "missing": (lambda: changed(W_Q), rf"{W_Q} \(2, 8, 4\) is missing"),
    "shape": (lambda: changed(W_Q, np.zeros((2, 8, 5))), r"\(2, 8, 5\) instead of \(2, 8, 4\)"),
    "unknown": (lambda: changed("what", np.zeros(2)), "what has no place"),
    "rows": (lambda: changed("source.W_e", np.zeros((9, 8))), "9 rows for 5 words"),
    "columns": (lambda: changed("output.W_out", np.zeros((8, 9))), "9 columns for 8 words"),
    "large": (lambda: changed(W_Q, np.full((2, 8, 4), 1e5)), "beyond −1000 to 1000"),
    "huge": (lambda: changed(W_Q, np.full((2, 8, 4), 1e300)), "beyond −1000 to 1000"),
    "version": (lambda: changed(version="9"), "version 9, not 1"),
    "config": (lambda: changed(config="{"), "config cannot be read"),
    "list": (lambda: changed(config="[]"), "config cannot be read"),
    "d_model": (lambda: changed(config=config(d_model=1000)), "2 to 64"),
    "no heads": (lambda: changed(config=config(heads=0)), "1 to 8"),
    "activation": (lambda: changed(config=config(activation="sine")), "activation is one of"),
    "no layers": (
        lambda: changed(config=config(encoder_layers=0, decoder_layers=0)),
        "at least one",
    ),
    "dropout": (lambda: changed(config=config(dropout={"x": 1})), "dropout"),
    "shared": (lambda: changed(config=config(share_embeddings=True)), "share_embeddings is True"),
    "seed": (lambda: changed(seed="one"), "seed"),
    "words": (lambda: changed(source_vocabulary="[1]"), "not a list of words"),
    "word twice": (lambda: changed(source_vocabulary='["a", "a"]'), "a word twice"),
    "many": (lambda: changed(source=json.dumps(["a"] * 65)), "64 tokens"),
    "long": (lambda: changed(source=json.dumps(["a" * 25])), "24 characters"),
    "pickle": (lambda: b"\x80\x04" + struct.pack("<Q", 5) * 9, "not a safetensors file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_files_are_refused_in_one_sentence(name):
    make, sentence = REFUSED[name]
    with pytest.raises(ValueError, match=sentence) as raised:
        model_file.load(make(), Scenario())
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)


def test_every_difference_from_the_settings_is_named():
    arrays, stored = safetensors.load(saved(Scenario()))
    del arrays[W_Q]
    arrays["source.W_e"] = np.zeros((5, 9))
    arrays["extra"] = np.zeros(1)
    with pytest.raises(ValueError, match="do not fit") as error:
        model_file.load(safetensors.save(arrays, stored), Scenario())
    for path in (W_Q, "source.W_e", "extra"):
        assert path in str(error.value)
