import math
import re

import numpy as np
import param
import pytest
from tinkerformer.board import stages
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.values import DROPPED, EDITED, MASKED, OVERRIDDEN, matrix_values
from tinkerformer.model.scenario.model_settings import ModelSettings
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import cell_at, details, operands
from transformer_math.ops.tensor import head_path

SCENARIOS = {
    "default": Scenario(),
    "training": Scenario().with_training(True).with_setting("dropout.preset", "torch"),
    "pre-norm": Scenario().with_setting("norm", "pre"),
    "decoder-only": Scenario().with_setting("encoder_layers", 0),
    "encoder-only": Scenario().with_setting("decoder_layers", 0),
    "one head": Scenario().with_setting("heads", 1),
    "learned, tied": Scenario()
    .with_setting("positions", "learned")
    .with_setting("tie_output", True),
    "biases": Scenario().with_setting("attention_bias", True).with_setting("output_bias", True),
    "padded": Scenario().with_tokens("source", ["a", "<pad>", ""]),
    "no scale": Scenario().with_setting("attention_scale", "none"),
    "no positions": Scenario().with_setting("positions", "none"),
}


@pytest.fixture(params=SCENARIOS.values(), ids=SCENARIOS.keys(), scope="module")
def shown(request):
    runner = ForwardPassRunner()
    trace = runner.trace(request.param)
    return runner, request.param, trace, stages.manifest(request.param, trace, 1)


def test_every_matrix_has_the_declared_shape_and_labels(shown):
    _, scenario, trace, manifest = shown
    for matrix in manifest["matrices"]:
        values, _ = matrix_values(scenario, trace, matrix["path"])
        assert values.shape == (matrix["rows"], matrix["cols"])
        assert values.shape == tuple(len(axis["labels"]) for axis in matrix["axes"])


def test_every_parameter_is_on_the_page_and_editable(shown):
    _, scenario, trace, manifest = shown
    editable = {m["path"] for m in manifest["matrices"] if m["editable"]}
    for path in scenario.config.parameter_shapes():
        tensor = trace[path]
        heads = range(tensor.shape[0]) if tensor.dims[0] == "head" else [None]
        for head in heads:
            assert (path if head is None else head_path(path, head)) in editable


def test_every_item_of_a_stage_is_a_matrix_or_an_operator_or_links(shown):
    _, _, _, manifest = shown
    used = set()
    for stage in manifest["stages"]:
        for row in stage["rows"]:
            for item in row["items"]:
                assert item.keys() <= {"matrix", "operator", "links"}
                used.add(item.get("matrix"))
    assert used - {None} == set(range(len(manifest["matrices"])))


def choices():
    """Return each setting of the model with few values, with each value but the default."""
    for name, declared in ModelSettings().param.objects().items():
        if isinstance(declared, param.Selector | param.Boolean):
            for value in getattr(declared, "objects", (True, False)):
                if value != declared.default:
                    yield pytest.param(name, value, id=f"{name}={value}")


@pytest.mark.parametrize(("name", "value"), [*choices()])
def test_with_every_choice_of_a_setting_the_page_shows_all_parameters(name, value):
    scenario = Scenario().with_setting(name, value)
    trace = ForwardPassRunner().trace(scenario)
    parts = [part["id"] for part in stages.picture.manifest(scenario, trace, 1)["whole"]["parts"]]
    drawn = {m["path"] for m in stages.picture.manifest(scenario, trace, 1, parts)["matrices"]}
    told = {m["path"] for m in stages.manifest(scenario, trace, 1)["matrices"]}
    for path in scenario.config.parameter_shapes():
        head = head_path(path, 0) if trace[path].dims[0] == "head" else path
        assert head in drawn & told


def test_details_of_a_cell_of_every_matrix_can_be_computed(shown):
    runner, scenario, _, manifest = shown
    for matrix in manifest["matrices"]:
        found = details(runner, scenario, matrix["path"], 0, matrix["cols"] - 1)
        assert found["symbol"]
        assert found["title"]
        assert "None" not in " ".join(found.get("arithmetic", []))
        assert ("original" in found) == matrix["editable"]


def test_operands_are_cells_of_matrices_on_the_page(shown):
    _, _, trace, manifest = shown
    on_page = {m["path"]: m for m in manifest["matrices"]}
    for path, matrix in on_page.items():
        for at, top, left, bottom, right in operands(trace, path, 0, 0):
            assert at in on_page or at.endswith("ids"), (path, at)
            if at in on_page:
                assert 0 <= top <= bottom < on_page[at]["rows"]
                assert 0 <= left <= right < on_page[at]["cols"]
        assert matrix["path"] == path


def test_cells_outside_a_matrix_are_refused(shown):
    runner, scenario, trace, _ = shown
    with pytest.raises(ValueError, match="no cell"):
        details(runner, scenario, "output.probabilities", 999, 0)
    with pytest.raises(ValueError, match="no cell"):
        cell_at(trace, "output.probabilities", 0, -1)


def test_dropped_and_edited_cells_are_marked():
    scenario = Scenario().with_training(True).with_setting("dropout.embedding", "0.5")
    scenario = scenario.with_value("encoder.0.self_attn.gamma", (3,), 2)
    trace = ForwardPassRunner().trace(scenario)
    values, marks = matrix_values(scenario, trace, "source.dropout")
    assert ((marks == DROPPED) <= (values == 0)).all()
    assert (marks == DROPPED).any()
    _, marks = matrix_values(scenario, trace, "encoder.0.self_attn.gamma")
    assert marks.tolist() == [[0, 0, 0, EDITED, 0, 0, 0, 0]]
    _, marks = matrix_values(scenario, trace, "encoder.0.self_attn.beta")
    assert marks is None


def test_masked_cells_are_marked_and_other_zeros_are_not():
    """Masked are scores of −∞ and the weights computed from them, also after dropout."""
    scenario = Scenario().with_training(True).with_setting("dropout.attention_weights", "0.5")
    at = "decoder.0.self_attn.head.0."
    above = np.triu(np.ones((len(scenario.target),) * 2, bool), 1)
    trace = ForwardPassRunner().trace(scenario)
    for leaf in ("masked_scores", "weights", "weights_dropout"):
        _, marks = matrix_values(scenario, trace, at + leaf)
        assert ((marks & MASKED > 0) == above).all(), leaf
    for path in ("encoder.0.self_attn.head.0.weights", "output.probabilities", at + "scores"):
        _, marks = matrix_values(scenario, trace, path)
        assert marks is None or not (marks & MASKED).any(), path
    scenario = scenario.with_value(at + "weights", (0, 1), 0.25)
    _, marks = matrix_values(scenario, ForwardPassRunner().trace(scenario), at + "weights")
    assert marks[0, :3].tolist() == [0, OVERRIDDEN, MASKED]


def test_weights_and_probabilities_have_the_scale_of_shares(shown):
    """The output of a softmax, also after dropout, but not scores and logits."""
    _, _, _, manifest = shown
    leaves = {"weights", "weights_dropout", "probabilities"}
    for matrix in manifest["matrices"]:
        expected = "share" if matrix["path"].rpartition(".")[2] in leaves else None
        assert matrix.get("scale") == expected, matrix["path"]
    assert any(matrix.get("scale") == "share" for matrix in manifest["matrices"])


def test_the_manifest_states_which_matrices_can_be_set(shown):
    _, scenario, trace, manifest = shown
    for matrix in manifest["matrices"]:
        path = matrix["path"]
        if not matrix.get("fixed"):
            index = cell_at(trace, path, 0, 0).index
            assert scenario.with_value(path, index, 0.5).edits
        else:
            assert path.rpartition(".")[2] in {"mask", "ids", "loss", "token_loss"}, path


@pytest.mark.parametrize("plain", [Scenario(), catalog.first("phrases")], ids=["random", "trained"])
def test_the_printed_arithmetic_evaluates_to_the_number(plain):
    """The tolerance is a hundredth; with two decimals, 0.141 would be printed for 0.151."""
    runner = ForwardPassRunner()
    tensor = runner.trace(plain)["source.embedding"]
    root = math.sqrt(plain.config.d_model)
    for i, j in np.ndindex(*tensor.shape):
        found = details(runner, plain, "source.embedding", i, j)
        numbers = found["arithmetic"][2]
        factor = re.fullmatch(r"[≈=] \(?(−?[\de.−]+)\)?·√\d+", numbers)
        assert factor, numbers
        number = float(factor[1].replace("−", "-"))
        assert number * root == pytest.approx(float(tensor.value[i, j]), rel=0.01)
        is_all = np.float32(number) == np.float32(found["operands"][0]["value"])
        assert numbers[0] == ("=" if is_all else "≈")


def test_a_number_that_is_only_copied_is_printed_once():
    runner = ForwardPassRunner()
    found = details(runner, Scenario(), "encoder.0.self_attn.concat", 1, 2)
    assert len(found["arithmetic"]) == 2
