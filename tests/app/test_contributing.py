"""CONTRIBUTING's recipes have the promised results if they are followed to the letter."""

import importlib.util
import re
import shutil
import sys
import textwrap
from pathlib import Path

import numpy as np
import panel as pn
import param
import pytest
from tinkerformer.board.stages import explore, texts
from tinkerformer.components.component import SHARED
from tinkerformer.components.form.settings_form import Section, SettingsForm
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.model_settings import ModelSettings
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.transport.panel import carry

from tests.app.cells import details
from tests.math.directional import TOLERANCE
from tests.math.op_cases import OpCase, largest_error
from transformer_math import explain, explain_gradient
from transformer_math.checkpoints import state as state_module
from transformer_math.graph import paths
from transformer_math.layers import Layers
from transformer_math.ops import Labels

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
CAPPED, LABELS = "output.capped_logits", Labels([4, 2, 1])


def code(recipe: str, language: str = "python") -> list[str]:
    """Return the blocks of code of one recipe, in order."""
    part = CONTRIBUTING.partition(f"## How to add {recipe}\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```", part, re.DOTALL | re.MULTILINE)
    assert found, recipe
    return [textwrap.dedent(block) for block in found]


def run(block: str, **names: object) -> dict[str, object]:
    """Run a block of code with some names, and return all names afterward."""
    exec(compile(block, "CONTRIBUTING.md", "exec"), names)
    return names


@pytest.fixture
def soft_cap():
    """The operation of the first recipe."""
    return run(code("an operation")[0], __name__="soft_cap")["SoftCap"]


@pytest.fixture
def capped(soft_cap, monkeypatch):
    """Change the mathematics so that logits are capped, as in the recipe."""
    _, name, compute = code("an operation")
    monkeypatch.setitem(paths.TENSORS, "output", dict(paths.TENSORS["output"]))
    run(name, TENSORS=paths.TENSORS, TensorSpec=paths.TensorSpec)
    output = Layers.output

    def with_a_cap(self, scope, x, tied):
        names = {"scope": scope, "SoftCap": soft_cap, "logits": output(self, scope, x, tied)}
        return run(compute, **names)["logits"]

    monkeypatch.setattr(Layers, "output", with_a_cap)


def trace_of(scenario: Scenario):
    """Return a pass with a loss and its gradients."""
    model = ForwardPassRunner().model(scenario)
    trace = model(scenario.ids("source"), scenario.ids("target"), labels=LABELS)
    trace.backward()
    return trace


def test_the_gradient_of_a_new_operation_equals_finite_differences(soft_cap):
    random = np.random.default_rng(0)
    for shape in ((5, 7), (3, 5, 7)):
        assert largest_error(OpCase(soft_cap(1.5), (random.normal(size=shape),))) < TOLERANCE


def test_a_new_operation_is_explained_in_the_trace(capped):
    trace = trace_of(Scenario())
    logits, now = trace["output.logits"], trace[CAPPED]
    np.testing.assert_allclose(now.value, 3 * np.tanh(logits.value / 3), rtol=1e-6)
    assert now.symbol == r"L^{\mathrm{cap}}"
    assert now.formula == r"3\tanh\left(L / 3\right)"
    how = explain(trace, CAPPED, (1, 2))
    assert how.evaluate() == pytest.approx(now.value[1, 2], rel=1e-6)
    assert how.symbols() == "3·tanh(logits[1, 2] / 3)"
    assert "output.probabilities" in trace.downstream(CAPPED)
    assert CAPPED in trace.downstream("source.W_e")


def test_the_gradient_of_a_new_operation_reaches_its_inputs(capped):
    trace = trace_of(Scenario())
    why = explain_gradient(trace, "output.logits", (1, 2))
    gradient = trace["output.logits"].grad[1, 2]
    assert why.evaluate() == pytest.approx(gradient, rel=1e-5)
    step = 1e-2

    def loss(x: float) -> float:
        model = ForwardPassRunner().model(Scenario())
        ids = Scenario().ids("source"), Scenario().ids("target")
        cell = {"output.logits": {(1, 2): x}}
        return float(model(*ids, labels=LABELS, overrides=cell)["output.loss"].value)

    at = float(trace["output.logits"].value[1, 2])
    assert (loss(at + step) - loss(at - step)) / (2 * step) == pytest.approx(gradient, rel=1e-2)


@pytest.fixture
def settings():
    """Return the class of the model's settings with the setting of the recipe."""
    declaration = textwrap.indent(code("a setting")[0], "    ")
    block = f'class Capped(ModelSettings):\n    """With a cap."""\n\n{declaration}'
    return run(block, ModelSettings=ModelSettings, param=param, __name__="capped")["Capped"]


def test_a_new_setting_is_checked_and_saved(settings):
    changed = settings().changed("logit_cap", "12,5")
    assert changed.logit_cap == 12.5
    with pytest.raises(ValueError, match=r"^logit cap is a number from 1 to 100\.$"):
        settings().changed("logit_cap", "1000")
    assert changed.to_dict(settings()) == {"logit_cap": 12.5}
    assert settings().from_dict({"logit_cap": 12.5}) == changed
    with pytest.raises(ValueError, match="logit cap is a number"):
        settings().from_dict({"logit_cap": "12"})


def test_a_new_setting_has_a_field_in_a_form(settings):
    form = SettingsForm(value=settings(), sections=[Section(("logit_cap",))])
    (field,) = form.fields
    assert field["label"] == "logit cap"
    assert field["help"] == "Logits stay below it."
    assert (field["value"], field["minimum"], field["maximum"], field["step"]) == (None, 1, 100, 1)


def test_a_new_stage_is_shown_on_the_board(capped, monkeypatch):
    sentences, laid_out = code("a stage")
    words = run(sentences, Text=texts.Text)["CAPPED"]
    monkeypatch.setattr(texts, "CAPPED", words, raising=False)
    stage = run(laid_out, **vars(explore))["_capped"]
    before = explore._stages
    monkeypatch.setattr(explore, "_stages", lambda sheet: [*before(sheet), stage(sheet)])
    scenario, runner = Scenario(), ForwardPassRunner()
    manifest = explore.manifest(scenario, runner.trace(scenario), 1)
    *_, new = manifest["stages"]
    assert new["title"] == "The cap on the logits"
    assert new["text"] == words.paragraphs
    assert new["rows"][0]["tex"] == [r"L^{\mathrm{cap}} = 3\tanh\left(L / 3\right)"]
    shown = [manifest["matrices"][i["matrix"]] for i in new["rows"][0]["items"] if "matrix" in i]
    assert [matrix["path"] for matrix in shown] == ["output.logits", CAPPED]
    assert shown[1]["axes"][0]["labels"] == [
        "<sos> → right: le",
        "le → right: chat",
        "chat → right: <eos>",
    ]
    assert shown[1]["axes"][1]["labels"] == list(scenario.target_vocabulary)
    cell = details(runner, scenario, CAPPED, 1, 2)
    assert cell["formula"] == r"L^{\mathrm{cap}} = 3\tanh\left(L / 3\right)"
    assert cell["arithmetic"][1].startswith("= 3·tanh(")
    assert cell["editable"]


@pytest.fixture
def cap(tmp_path, monkeypatch):
    """Return the component of the recipe, in a feature of its own with copies of shared modules."""
    folder = tmp_path / "features" / "cap"
    folder.mkdir(parents=True)
    shutil.copytree(SHARED, tmp_path / "components" / "shared")
    (folder / "cap.js").write_text(code("a component", "js")[0], encoding="utf-8")
    (folder / "cap.css").write_text(code("a component", "css")[0], encoding="utf-8")
    file = folder / "cap.py"
    file.write_text(code("a component")[0], encoding="utf-8")
    name = "tinkerformer.features.cap.cap"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module.Cap


def test_the_shell_loads_a_new_component(cap):
    control = cap(value=20.0, label="cap")
    model = pn.Column(control).get_root().children[0]
    assert model.data.value == 20
    assert model.data.label == "cap"
    assert "// ---- ../../components/shared/dom.js" in model.esm
    assert "export { render };" in model.esm
    assert any("--accent" in str(sheet) for sheet in model.stylesheets)
    control.value = 40.0
    assert model.data.value == 40


def test_a_new_component_receives_messages_of_the_browser(cap):
    control = cap()
    carry(control)._process_events({"value": 55.0})
    assert control.value == 55
    carry(control)._process_events({"value": 1000.0})  # the declaration refuses this
    assert control.value == 55
    assert control.problem


def test_a_new_family_of_checkpoints_is_read(monkeypatch):
    """The state has the recipe's names, and all of its sizes differ."""
    (layout,) = run(code("a checkpoint family")[0], __name__="lecture")["LAYOUTS"]
    assert len(code("a checkpoint family")[0].splitlines()) <= 40
    monkeypatch.setattr(state_module, "layouts", lambda: (layout,))
    random = np.random.default_rng(0)
    shapes = {"look": (18, 6), "mix": (6, 6), "up": (10, 6), "down": (6, 10)}
    state = {"words.weight": random.normal(size=(7, 6)), "predict.weight": np.ones((7, 6))}
    for n in (0, 1):
        for name, shape in shapes.items():
            state[f"net.stage.{n}.{name}.weight"] = random.normal(size=shape)
        for name in ("norm_a", "norm_b"):
            state[f"net.stage.{n}.{name}.weight"] = random.normal(size=6)
    found = state_module.read_state(state, heads=3)
    assert (found.family, found.config.kind) == ("the decoder of the lecture", "decoder-only")
    assert (found.config.d_ff, found.config.decoder_layers, found.config.heads) == (10, 2, 3)
    packed = state["net.stage.1.look.weight"].reshape(3, 3, 2, 6)  # map, head, d_k, d_model
    for name, weights in zip("qkv", packed, strict=True):
        ours = found.parameters[f"decoder.1.self_attn.W_{name}"]
        np.testing.assert_array_equal(ours, weights.transpose(0, 2, 1))
