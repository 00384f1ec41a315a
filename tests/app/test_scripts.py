import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.files import catalog, model_file
from tinkerformer.files.scripts import numpy_script, script, torch_script
from tinkerformer.files.scripts.pass_snapshot import PassSnapshot
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.model_settings import DropoutSettings
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import MEAN, Silence

from tests.math.tiny import SOURCE, TARGET, VARIANTS, read_by, tiny
from transformer_math import Config, DropoutRates, Transformer
from transformer_math.data.tokenizer import PAD

LIBRARIES = {"numpy": numpy_script, "torch": torch_script}
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None,
    reason="PyTorch is not installed: the exported PyTorch script was not run.",
)
EACH = pytest.mark.parametrize(
    "library", ["numpy", pytest.param("torch", marks=needs_torch)], scope="module"
)

# Runs every script of a folder in order and stores the results.
RUNNER = """
import pathlib, runpy, sys
import numpy as np
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    found = runpy.run_path(str(path))["transformer"]()
    np.save(path.with_suffix(".npy"), np.array(found.tolist(), np.float64))
"""


def run(folder: Path, library: str, snapshots: Mapping[str, PassSnapshot]) -> dict[str, np.ndarray]:
    """Run the scripts in one process with warnings as errors, and return their results."""
    names = {name: f"{number:03}" for number, name in enumerate(snapshots)}
    for name, snapshot in snapshots.items():
        text = LIBRARIES[library].script(snapshot)
        assert max(map(len, text.splitlines())) < 220
        (folder / f"{names[name]}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-c", RUNNER, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return {name: np.load(folder / f"{number}.npy") for name, number in names.items()}


def expected(scenario: Scenario) -> np.ndarray:
    return ForwardPassRunner().trace(scenario)["output.probabilities"].value


def snapshot_of(scenario: Scenario) -> PassSnapshot:
    return PassSnapshot.of_scenario(scenario, ForwardPassRunner().trace(scenario))


def with_settings(**changes: Any) -> Scenario:
    scenario = Scenario()
    for name, value in changes.items():
        scenario = scenario.with_setting(name, value)
    return scenario


def training(**changes: Any) -> Scenario:
    scenario = with_settings(**changes).with_training(True)
    for site in DropoutSettings.names():
        scenario = scenario.with_setting(f"dropout.{site}", 0.3)
    return scenario


PADDED = Scenario().with_tokens("source", ["a", PAD, "b", PAD])
SCENARIOS = {
    "default": Scenario(),
    "pre": with_settings(norm="pre"),
    "no residual": with_settings(residual=False, encoder_layers=2),
    "no residual, pre": with_settings(residual=False, norm="pre").with_training(True),
    "pre without final norm": with_settings(norm="pre", final_norm=False),
    "post with final norm": with_settings(final_norm=True),
    "norm of a sample": with_settings(norm_deviation="sample"),
    "norm of a sample, set": with_settings(norm_deviation="sample").with_value(
        "encoder.0.self_attn.norm", (1, 1), 3.0
    ),
    "halves": with_settings(positions="sinusoidal_halves"),
    "learned": with_settings(positions="learned"),
    "no positions": with_settings(positions="none"),
    **{
        name: with_settings(activation=name)
        for name in ("gelu", "gelu_tanh", "silu", "tanh", "identity")
    },
    "scale d_model": with_settings(attention_scale="d_model"),
    "no scale": with_settings(attention_scale="none"),
    "unscaled embeddings": with_settings(embedding_scale=False),
    "biases": with_settings(attention_bias=True, output_bias=True)
    .with_value("encoder.0.self_attn.b_q", (1, 2), 2.0)
    .with_value("output.b_out", (3,), -1.0),
    "no biases": with_settings(feed_forward_bias=False),
    "tied": with_settings(tie_output=True),
    "tied encoder": with_settings(tie_output=True, decoder_layers=0),
    "encoder only": with_settings(decoder_layers=0),
    "as BERT": with_settings(decoder_layers=0, embedding_norm=True, output_transform=True),
    "as BERT, set": with_settings(decoder_layers=0, embedding_norm=True, output_transform=True)
    .with_value("output.hidden", (1, 1), 3.0)
    .with_value("source.norm", (0, 2), -2.0),
    "decoder only": with_settings(encoder_layers=0, tie_output=True),
    "deep": with_settings(encoder_layers=3, decoder_layers=2, norm="pre"),
    "widths": with_settings(heads=3, d_k=5, d_v=2, d_ff=7),
    "one head": with_settings(heads=1),
    "padded source": PADDED,
    "all padded": Scenario().with_tokens("source", [PAD, PAD]),
    "padded target": PADDED.with_tokens("target", [PAD, "x", PAD]),
    "padded encoder": PADDED.with_setting("decoder_layers", 0),
    "padded decoder": with_settings(encoder_layers=0).with_tokens("target", [PAD, "x", PAD]),
    "odd words": Scenario().with_tokens("source", ['"', "'''", "\\", "\n", "", "{x}", "é"]),
    "many words": Scenario().with_tokens("source", [f"w{i}" for i in range(64)]),
    "training": Scenario().with_training(True),
    "training everywhere": training(attention_bias=True),
    "training pre": training(norm="pre", activation="gelu", encoder_layers=2),
    "training, encoder": training(decoder_layers=0).resampled(),
    "edited": Scenario().with_value("source.W_e", (1, 2), 3.5).with_value(
        "encoder.0.self_attn.head.1.W_q", (2, 1), -4.0
    ),
}  # fmt: skip

# One set cell for every computed tensor.
for path in (
    "source.embedding", "source.positions", "source.sum", "source.dropout",
    "encoder.0.self_attn.head.1.q", "encoder.0.self_attn.head.0.k",
    "decoder.0.cross_attn.head.1.v", "encoder.0.self_attn.head.1.raw_scores",
    "decoder.0.self_attn.head.0.scores", "decoder.0.cross_attn.head.1.masked_scores",
    "decoder.0.self_attn.head.1.weights", "encoder.0.self_attn.head.0.context",
    "decoder.0.self_attn.concat", "decoder.0.cross_attn.out", "encoder.0.self_attn.dropout",
    "encoder.0.feed_forward.residual", "decoder.0.feed_forward.norm",
    "encoder.0.feed_forward.hidden", "encoder.0.feed_forward.activation",
    "decoder.0.feed_forward.activation_dropout", "output.logits", "output.probabilities",
):  # fmt: skip
    SCENARIOS[f"set {path}"] = Scenario().with_value(path, (1, 1), 30.0)
SCENARIOS["set in training"] = (
    training(norm="pre", positions="none", attention_scale="none")
    .with_value("encoder.0.self_attn.head.1.weights_dropout", (1, 1), 0.5)
    .with_value("source.sum", (1, 1), 0.5)
    .with_value("decoder.0.self_attn.head.0.scores", (1, 1), 0.5)
)

for name, silence in {
    "a head": Silence("decoder.0.cross_attn.head.1.context"),
    "a head to its mean": Silence("encoder.0.self_attn.head.0.context", to=MEAN),
    "a sublayer": Silence("encoder.0.feed_forward.out"),
    "a sublayer to its mean": Silence("decoder.0.self_attn.out", to=MEAN),
    "a token": Silence("source.sum", row=2),
    "a unit": Silence("decoder.0.feed_forward.activation", column=3, to=MEAN),
}.items():
    SCENARIOS[f"silenced {name}"] = Scenario().with_silence(silence)
    SCENARIOS[f"silenced {name} in training"] = training(norm="pre").with_silence(silence)
SCENARIOS["silenced phrases"] = (
    catalog.first("phrases")
    .with_silence(Silence("decoder.0.cross_attn.head.0.context", to=MEAN))
    .with_value("decoder.0.cross_attn.head.0.context", (1, 1), 3.0)
)

MODELS: dict[str, tuple[Transformer, dict[str, Any]]] = {
    name: (tiny(**changes), {}) for name, changes in VARIANTS.items()
}
MODELS["shared, not tied"] = (tiny(source_vocabulary=17, share_embeddings=True), {})
MODELS["shared, learned"] = (
    tiny(source_vocabulary=17, share_embeddings=True, positions="learned", epsilon=0.01),
    {},
)
MODELS["training"] = (
    tiny(dropout=DropoutRates(0.1, 0.2, 0.3, 0.4, 0.5), source_pad=1),
    {"training": True, "seed": 3},
)


def model_snapshots() -> tuple[dict[str, PassSnapshot], dict[str, np.ndarray]]:
    snapshots, wanted = {}, {}
    for name, (model, options) in MODELS.items():
        trace = model(*read_by(model, SOURCE, TARGET), **options)
        snapshots[name] = PassSnapshot.of(model.config, trace)
        wanted[name] = trace["output.probabilities"].value
    return snapshots, wanted


@pytest.fixture(scope="module")
def computed(library, tmp_path_factory):
    """Run all of these scenarios with one of the libraries."""
    models, _ = model_snapshots()
    snapshots = {name: snapshot_of(scenario) for name, scenario in SCENARIOS.items()}
    folder = tmp_path_factory.mktemp(library)
    return run(folder, library, {**snapshots, **{f"model {n}": r for n, r in models.items()}})


@EACH
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_script_of_a_scenario_reproduces_the_page(computed, name):
    np.testing.assert_allclose(computed[name], expected(SCENARIOS[name]), atol=1e-5, rtol=0)


@EACH
@pytest.mark.parametrize("name", MODELS)
def test_the_script_of_a_model_reproduces_its_output(computed, name):
    wanted = model_snapshots()[1][name]
    np.testing.assert_allclose(computed[f"model {name}"], wanted, atol=1e-5, rtol=0)


def test_in_these_scenarios_the_set_cell_changes_the_result():
    """Otherwise the tests above would not notice an override that a script ignores."""
    for name, scenario in SCENARIOS.items():
        if name.startswith("set ") and "raining" not in name:
            assert np.abs(expected(scenario) - expected(Scenario())).max() > 1e-4, name


WORDS = st.lists(
    st.one_of(st.sampled_from(["a", "b", PAD]), st.text(max_size=6)), min_size=1, max_size=6
)
CHOICES: dict[str, list[Any]] = {
    "norm": ["pre", "post"],
    "activation": ["relu", "gelu", "gelu_tanh", "silu", "tanh", "identity"],
    "positions": ["sinusoidal", "sinusoidal_halves", "learned", "none"],
    "attention_scale": ["d_k", "d_model", "none"],
    "final_norm": [True, False],
    "residual": [True, False],
    "embedding_scale": [True, False],
    "attention_bias": [True, False],
    "feed_forward_bias": [True, False],
    "output_bias": [True, False],
    "tie_output": [True, False],
    "heads": [1, 2, 3],
    "d_k": ["", 3],
    "d_v": ["", 5],
    "d_ff": ["", 6],
    "encoder_layers": [0, 1, 2],
    "decoder_layers": [1, 2],
    "seed": [1, 2],
    "dropout.preset": ["paper", "after_activation", "torch"],
}


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    changes = {name: draw(st.sampled_from(values)) for name, values in CHOICES.items()}
    scenario = with_settings(**changes).with_tokens("source", draw(WORDS))
    scenario = scenario.with_tokens("target", draw(WORDS)).with_training(draw(st.booleans()))
    return scenario.with_value("output.logits", (0, 0), 1.0) if draw(st.booleans()) else scenario


@pytest.mark.parametrize("library", ["numpy", pytest.param("torch", marks=needs_torch)])
def test_random_scenarios_are_reproduced(library, tmp_path_factory):
    @settings(max_examples=3, deadline=None, derandomize=True)
    @given(st.lists(scenarios(), min_size=8, max_size=8))
    def check(found: list[Scenario]) -> None:
        snapshots = {str(n): snapshot_of(scenario) for n, scenario in enumerate(found)}
        done = run(tmp_path_factory.mktemp(library), library, snapshots)
        for n, scenario in enumerate(found):
            np.testing.assert_allclose(done[str(n)], expected(scenario), atol=1e-5, rtol=0)

    check()


# -- the text of a script --------------------------------------------------------------------------


@EACH
def test_a_script_prints_the_probabilities(library, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(LIBRARIES[library].script(snapshot_of(Scenario())), encoding="utf-8")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    lines = [line.rpartition(" ") for line in done.stdout.splitlines() if line.startswith("  ")]
    np.testing.assert_allclose(
        [float(number) for _, _, number in lines], expected(Scenario()).ravel(), atol=1e-5
    )
    assert [word.strip() for word, _, _ in lines[:3]] == ["'<sos>'", "'<eos>'", "'le'"]


@EACH
def test_a_script_reads_a_large_model_from_the_file_beside_it(library, tmp_path):
    scenario = with_settings(d_model=64, heads=8, d_ff=256, encoder_layers=2)
    snapshot = snapshot_of(scenario)
    assert snapshot.size > script.MAX_INSIDE
    data = model_file.save(scenario, ForwardPassRunner().trace(scenario))
    (tmp_path / script.WEIGHTS_FILE).write_bytes(data)
    done = run(tmp_path, library, {"large": snapshot})
    np.testing.assert_allclose(done["large"], expected(scenario), atol=1e-5)
    assert len(LIBRARIES[library].script(snapshot)) < 10_000


def test_the_numpy_script_imports_only_numpy_and_is_short():
    text = numpy_script.script(snapshot_of(Scenario()))
    imports = {line for line in text.splitlines() if line.startswith(("import", "from"))}
    assert imports == {"import base64", "import math", "import numpy as np"}
    model = text[: text.index("def array(")]
    assert len([line for line in model.splitlines() if line.strip()]) < 90


def test_a_script_contains_only_code_that_its_settings_need():
    plain = numpy_script.script(snapshot_of(Scenario()))
    for absent in ("dropout", "override", "def erf", "pad", "b_q", "json"):
        assert absent not in plain
    assert Config().dtype == "float32"
