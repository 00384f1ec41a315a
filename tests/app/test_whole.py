import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.board.stages import picture
from tinkerformer.explain.matrix_words import LEAVES
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.values import matrix_values
from tinkerformer.model.scenario.model_names import PAPER, PHRASES
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math.ops import IDENTITY
from transformer_math.ops.tensor import split_head

RUNNER = ForwardPassRunner()


@st.composite
def models(draw):
    """Return scenarios of many shapes: stacks, norms, residuals, biases, dropout, words."""
    heads = draw(st.sampled_from([1, 2, 4]))
    encoder, decoder = draw(st.sampled_from([(1, 1), (2, 1), (0, 2), (3, 0), (1, 3)]))
    scenario = Scenario()
    for name, value in {
        "heads": heads,
        "d_model": heads * draw(st.sampled_from([2, 4, 16])),
        "d_ff": draw(st.sampled_from([1, 5, 130])),
        "encoder_layers": encoder,
        "decoder_layers": decoder,
        "norm": draw(st.sampled_from(["post", "pre"])),
        "residual": draw(st.booleans()),
        "attention_bias": draw(st.booleans()),
        "positions": draw(st.sampled_from(["sinusoidal", "learned", "none"])),
        "tie_output": draw(st.booleans()),
    }.items():
        scenario = scenario.with_setting(name, value)
    words = draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=7))
    scenario = scenario.with_tokens("source", words)
    return scenario.with_training(draw(st.booleans()))


def parts_of(manifest):
    return manifest["whole"]["parts"]


def strips_of(part):
    return [item for item in part["items"] if "strip" in item]


def drawn(manifest):
    """Return every matrix in the picture: its index, and whether its rows are on lanes."""
    for part in parts_of(manifest):
        for strip in strips_of(part):
            yield strip["strip"], strip["stack"]
            yield from ((index, None) for index in strip["under"])
        for tile in part["tiles"]:
            yield from ((index, None) for index in tile["tiles"])


def matrix_of(manifest, index):
    """Return the path of a drawn matrix; for an overview, the path of its matrix."""
    entry = manifest["matrices"][index]
    return entry["origin"][0] if "block" in entry else entry["path"]


@settings(max_examples=40, deadline=None)
@given(models())
def test_rows_lie_on_lanes_and_no_matrix_is_drawn_twice(scenario):
    trace = RUNNER.trace(scenario)
    manifest = picture.manifest(scenario, trace, 1)
    lanes = {entry["stack"]: len(entry["words"]) for entry in manifest["whole"]["stacks"]}
    numbers = list(drawn(manifest))
    assert len({index for index, _ in numbers}) == len(numbers)
    for index, stack in numbers:
        if stack is not None:
            assert manifest["matrices"][index]["rows"] == lanes[stack]
    for part in parts_of(manifest):
        assert part["stack"] in lanes
        for item in part["items"]:
            if "lanes" in item:
                for index in item["lanes"]:
                    entry = manifest["matrices"][index]
                    assert (entry["rows"], entry["cols"]) == (
                        lanes[item["stack"]],
                        lanes[item["keys"]],
                    )
    json.dumps(manifest)


@settings(max_examples=25, deadline=None)
@given(models())
def test_with_all_parts_unfolded_the_picture_has_every_computed_number_and_every_weight(scenario):
    trace = RUNNER.trace(scenario)
    ids = tuple(part["id"] for part in parts_of(picture.manifest(scenario, trace, 1)))
    manifest = picture.manifest(scenario, trace, 1, ids)
    found = {matrix_of(manifest, index) for index, _ in drawn(manifest)}
    stored = {split_head(path)[0] for path in found}
    parameters = scenario.config.parameter_shapes()
    assert parameters.keys() <= stored
    learned = sum(part["weights"] for part in parts_of(manifest))
    assert learned == sum(math.prod(shape) for shape in parameters.values())
    for path, tensor in trace.tensors.items():
        is_idle = tensor.op is IDENTITY
        beside = tensor.is_leaf or ".unprojected." in path or not tensor.dims
        if is_idle or beside or path == "output.token_loss":
            continue
        assert path in stored, path
    # Every head is drawn separately.
    for path in stored:
        if "head" in trace[path].dims:
            heads = {split_head(each)[1] for each in found if split_head(each)[0] == path}
            assert heads == set(range(scenario.settings.heads))


@settings(max_examples=15, deadline=None)
@given(models())
def test_drawn_matrices_can_be_read_and_fit_their_entries(scenario):
    trace = RUNNER.trace(scenario)
    manifest = picture.manifest(scenario, trace, 1)
    for entry in manifest["matrices"]:
        if entry["path"].startswith("@"):
            continue  # the space for a selected number
        values, _ = matrix_values(scenario, trace, entry["path"])
        assert values.shape == (entry["rows"], entry["cols"])


def test_the_links_are_drawn_from_the_weights_that_mix_the_values():
    settings = {"dropout.preset": "torch", "dropout.attention_weights": 0.2}
    scenario = Scenario().with_training(True)
    for name, value in settings.items():
        scenario = scenario.with_setting(name, value)
    trace = RUNNER.trace(scenario)
    manifest = picture.manifest(scenario, trace, 1)
    (part,) = [part for part in parts_of(manifest) if part["id"] == "decoder.0.self_attn"]
    paths = [manifest["matrices"][index]["path"] for index in part["items"][0]["lanes"]]
    assert paths == [f"decoder.0.self_attn.head.{head}.weights_dropout" for head in range(2)]
    still = picture.manifest(Scenario(), RUNNER.trace(Scenario()), 1)
    (part,) = [part for part in parts_of(still) if part["id"] == "decoder.0.self_attn"]
    assert still["matrices"][part["items"][0]["lanes"][0]]["path"].endswith("head.0.weights")


def test_the_picture_of_the_phrase_translator_has_every_learned_number():
    scenario = catalog.first(PHRASES)
    manifest = picture.manifest(scenario, RUNNER.trace(scenario), 1)
    parameters = scenario.config.parameter_shapes()
    cells = sum(
        entry["rows"] * entry["cols"]
        for index, _ in drawn(manifest)
        if split_head((entry := manifest["matrices"][index])["path"])[0] in parameters
    )
    assert cells == scenario.config.parameter_count() == 2136


def test_residual_connections_are_drawn_only_if_the_model_has_them():
    with_them = picture.manifest(Scenario(), RUNNER.trace(Scenario()), 1)
    assert sum(bool(part["adds"]) for part in parts_of(with_them)) == 5
    bare = Scenario().with_setting("residual", False)
    without = picture.manifest(bare, RUNNER.trace(bare), 1)
    assert not any(part["adds"] for part in parts_of(without))


def weights_of(manifest, part):
    """Return the paths of the tiles of a part, without the losses."""
    paths = [
        manifest["matrices"][index]["path"] for tile in part["tiles"] for index in tile["tiles"]
    ]
    return [path for path in paths if path not in picture.LOSSES]


def test_a_part_has_the_number_of_its_layer_if_its_stack_has_several():
    scenario = Scenario().with_setting("decoder_layers", 2)
    parts = parts_of(picture.manifest(scenario, ForwardPassRunner().trace(scenario), 1))
    named = [(part["title"], part["layer"]) for part in parts if part["kind"] == "cross"]
    assert named == [("cross-attention", 1), ("cross-attention", 2)]
    assert {part["layer"] for part in parts if part["stack"] == "encoder"} == {None}


def test_the_losses_are_below_the_next_word_and_agree_with_the_pass():
    scenario = catalog.first(PHRASES).with_setting("label_smoothing", "0")
    trace = RUNNER.trace(scenario)
    manifest = picture.manifest(scenario, trace, 1)
    part = parts_of(manifest)[-1]
    losses, mean = (manifest["matrices"][tile["tiles"][0]] for tile in part["tiles"][-2:])
    assert (losses["path"], mean["path"]) == picture.LOSSES
    assert part["tiles"][-2]["starts_row"]
    each, _ = matrix_values(scenario, trace, losses["path"])
    whole_loss, _ = matrix_values(scenario, trace, mean["path"])
    probabilities = trace["output.probabilities"].value
    right = [scenario.output_vocabulary.index(word) for word in scenario.axis_tokens.label_tokens]
    expected = -np.log(probabilities[range(len(right)), right])
    np.testing.assert_allclose(each.ravel(), expected, rtol=1e-4)
    np.testing.assert_allclose(whole_loss.item(), expected.mean(), rtol=1e-4)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_every_tensor_of_a_pass_has_a_name_in_words(norm):
    scenario = Scenario().with_setting("norm", norm)
    for each in (scenario, dataclasses.replace(scenario, training=True)):
        leaves = {path.rpartition(".")[2] for path in RUNNER.trace(each).tensors}
        assert leaves - set(LEAVES) <= {"ids", "labels", "mask"}


@pytest.fixture(scope="module")
def paper():
    scenario = catalog.first(PAPER)
    return scenario, RUNNER.trace(scenario)


def test_the_model_of_the_paper_is_drawn_as_blocks_with_folded_weights(paper):
    scenario, trace = paper
    manifest = picture.manifest(scenario, trace, 1)
    assert len(json.dumps(manifest)) < 300_000
    assert not [path for part in parts_of(manifest) for path in weights_of(manifest, part)]
    (part,) = [part for part in parts_of(manifest) if part["id"] == "encoder.3.feed_forward"]
    entry = manifest["matrices"][strips_of(part)[-1]["strip"]]
    assert (entry["rows"], entry["cols"], entry["block"]) == (6, 64, (1, 8))
    dots, _ = matrix_values(scenario, trace, entry["path"])
    values = trace["encoder.3.feed_forward.norm"].value.reshape(6, 64, 8)
    largest = np.take_along_axis(values, np.abs(values).argmax(-1)[..., None], -1)[..., 0]
    np.testing.assert_array_equal(dots, largest)
    window = next(m for m in manifest["matrices"] if m.get("overview") == entry["path"])
    assert (window["rows"], window["cols"], window["whole"]) == (6, 40, (6, 512))


def test_a_part_of_the_paper_s_model_unfolds_with_its_weights(paper):
    scenario, trace = paper
    manifest = picture.manifest(scenario, trace, 1, ("encoder.0.self_attn",))
    (part,) = [part for part in parts_of(manifest) if weights_of(manifest, part)]
    assert part["id"] == "encoder.0.self_attn"
    assert [len(tile["tiles"]) for tile in part["tiles"]] == [8, 8, 8, 1]
    assert part["weights"] == 4 * 512 * 512 + 2 * 512
