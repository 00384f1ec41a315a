"""The Attention view's structure, and the parts of matrices that it draws."""

import numpy as np
import pytest
from tinkerformer.board import stages
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import PAIR, part_of
from tinkerformer.model.matrices.attention import (
    AttentionFocus,
    of_row,
    resolve_focus,
    scopes,
    strongest,
)
from tinkerformer.model.matrices.values import matrix_frames, matrix_values
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math import explain, sweep

SCOPES = ["encoder.0.self_attn", "decoder.0.self_attn", "decoder.0.cross_attn"]


def manifest(scenario=None, requested=None):
    scenario = scenario or Scenario()
    trace = ForwardPassRunner().trace(scenario)
    return scenario, trace, stages.attention.manifest(scenario, trace, 7, requested)


def items(stage):
    return [item for row in stage["rows"] for item in row["items"]]


def with_settings(**settings):
    scenario = Scenario()
    for name, value in settings.items():
        scenario = scenario.with_setting(name, value)
    return scenario


# -- the focus --------------------------------------------------------------------------------


def test_every_attention_of_every_layer_is_listed():
    trace = ForwardPassRunner().trace(with_settings(encoder_layers=2, decoder_layers=2))
    assert scopes(trace) == [
        "encoder.0.self_attn",
        "encoder.1.self_attn",
        "decoder.0.self_attn",
        "decoder.0.cross_attn",
        "decoder.1.self_attn",
        "decoder.1.cross_attn",
    ]


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("head", [0, 1])
def test_the_strongest_pair_has_two_different_tokens(scope, head):
    trace = ForwardPassRunner().trace(Scenario())
    weights = trace[f"{scope}.weights"].value[head]
    _, _, query, key = strongest(trace, scope, head)
    others = [
        (i, j) for i, j in np.ndindex(weights.shape) if i != j or scope.endswith("cross_attn")
    ]
    assert (query, key) in others
    assert weights[query, key] == max(weights[place] for place in others)


def test_a_focus_that_the_model_lacks_is_replaced_by_the_nearest_one():
    trace = ForwardPassRunner().trace(Scenario())
    first = strongest(trace, SCOPES[0])
    fits = AttentionFocus(SCOPES[2], 1, 2, 5)
    assert resolve_focus(trace, fits) == fits
    assert resolve_focus(trace, None) == first
    assert resolve_focus(trace, AttentionFocus("encoder.4.self_attn")) == first
    assert resolve_focus(trace, fits._replace(head=2)) == strongest(trace, SCOPES[2])
    assert resolve_focus(trace, fits._replace(query=3)) == strongest(trace, SCOPES[2], 1)
    assert resolve_focus(trace, fits._replace(key=-1)) == strongest(trace, SCOPES[2], 1)


def test_without_a_requested_focus_the_followed_word_is_in_focus():
    trace = ForwardPassRunner().trace(Scenario())
    crossing = trace["decoder.0.cross_attn.weights"].value
    found = resolve_focus(trace, None, ("decoder", 2))
    assert found == of_row(trace, "decoder", 2)
    assert found[::2] == ("decoder.0.cross_attn", 2)
    assert crossing[found.head, 2, found.key] == crossing[:, 2].max()
    # For self-attention, take another word, since every word attends to itself.
    found = resolve_focus(trace, None, ("encoder", 1))
    assert found.scope.startswith("encoder.")
    assert found.query == 1 != found.key
    first = strongest(trace, SCOPES[0])
    assert resolve_focus(trace, None, ("decoder", 99)) == first
    assert resolve_focus(trace, AttentionFocus(SCOPES[0], 0, 1, 0), ("decoder", 2)).query == 1


def test_one_token_attends_to_itself():
    scenario = Scenario().with_tokens("source", ["alone"])
    assert resolve_focus(ForwardPassRunner().trace(scenario), None)[2:] == (0, 0)


# -- the stages --------------------------------------------------------------------------------


def test_thumbnails_show_every_head_of_every_layer():
    _, trace, shown = manifest(with_settings(encoder_layers=2, heads=4))
    thumbs = items(shown["stages"][0])
    paths = [shown["matrices"][index]["path"] for item in thumbs for index in item["thumbs"]]
    assert sorted(paths) == sorted(
        f"{scope}.head.{head}.weights" for scope in scopes(trace) for head in range(4)
    )
    assert [item["label"] for item in thumbs] == [
        "Self-attention · encoder",
        "Masked self-attention · decoder",
        "Cross-attention · decoder",
    ]


@pytest.mark.parametrize("is_masked", [True, False])
def test_no_two_kinds_of_thumbnails_have_the_same_name(is_masked):
    _, _, shown = manifest(with_settings(causal_mask=is_masked))
    thumbs = items(shown["stages"][0])
    assert len({item["label"] for item in thumbs}) == len({item["place"] for item in thumbs}) == 3


@pytest.mark.parametrize("scope", SCOPES)
def test_the_links_are_drawn_from_the_weights_in_focus(scope):
    _, _, shown = manifest(requested=AttentionFocus(scope))
    (links,) = items(shown["stages"][1])
    assert [shown["matrices"][index]["path"] for index in links["links"]] == [
        f"{scope}.head.{head}.weights" for head in (0, 1)
    ]
    assert shown["focus"]["scope"] == scope


@pytest.mark.parametrize("settings", [{}, {"heads": 1}, {"decoder_layers": 0}, {"norm": "pre"}])
def test_all_matrices_have_the_drawn_size(settings):
    scenario, trace, shown = manifest(with_settings(**settings))
    for entry in shown["matrices"]:
        values, _ = matrix_values(scenario, trace, entry["path"])
        size = tuple(len(axis["labels"]) for axis in entry["axes"])
        assert values.shape == (entry["rows"], entry["cols"]) == size, entry["path"]


def test_matrices_of_the_Explore_view_can_be_read_in_the_Attention_view():
    scenario, trace, shown = manifest()
    there = {entry["path"] for entry in stages.manifest(scenario, trace, 1)["matrices"]}
    assert there <= {entry["path"] for entry in shown["matrices"]}
    (pinned,) = shown["pinned"]
    assert shown["matrices"][pinned]["path"] == "output.probabilities"


def test_the_detail_omits_matrices_of_operations_that_are_off():
    def paths(**settings):
        _, _, shown = manifest(with_settings(**settings), requested)
        entries = [
            shown["matrices"][item["matrix"]]
            for item in items(shown["stages"][2])[1:]
            if "matrix" in item
        ]
        return [entry["path"].rpartition(".")[2] for entry in entries]

    scores = ["q@2", "k@1", "pair@2,1", "raw_scores@2,1", "scores@2,1"]
    requested = AttentionFocus(SCOPES[0], 0, 2, 1)
    assert paths() == [*scores, "scores@2", "weights@2"]
    requested = AttentionFocus(SCOPES[1], 0, 2, 1)
    assert paths() == [*scores, "masked_scores@2,1", "masked_scores@2", "weights@2"]


# -- parts of matrices -------------------------------------------------------------------------


@pytest.mark.parametrize("scope", SCOPES)
def test_a_pair_adds_up_to_its_raw_score(scope):
    scenario = Scenario()
    trace = ForwardPassRunner().trace(scenario)
    heads, rows, columns = trace[f"{scope}.raw_scores"].shape
    for head, i, j in np.ndindex(heads, rows, columns):
        at = f"{scope}.head.{head}."
        products, marks = matrix_values(scenario, trace, f"{at}{PAIR}@{i},{j}")
        assert marks is None
        q, k = (matrix_values(scenario, trace, f"{at}{name}")[0] for name in ("q", "k"))
        np.testing.assert_allclose(products[0], q[i] * k[j], rtol=1e-6)
        sums = explain(trace, f"{at}raw_scores", (i, j)).evaluate()
        assert products.sum(dtype=float) == pytest.approx(sums, abs=1e-5)


def test_rows_and_cells_are_cut_from_their_matrices():
    scenario = Scenario()
    trace = ForwardPassRunner().trace(scenario)
    at = "decoder.0.cross_attn.head.1.weights"
    whole = trace[at].value
    np.testing.assert_array_equal(matrix_values(scenario, trace, f"{at}@2")[0], whole[2:])
    np.testing.assert_array_equal(matrix_values(scenario, trace, f"{at}@1,4")[0], whole[1:2, 4:5])


def test_marks_are_cut_together_with_the_values():
    scenario = Scenario().with_value("encoder.0.self_attn.head.0.W_q", (3, 1), 2.0)
    trace = ForwardPassRunner().trace(scenario)
    _, marks = matrix_values(scenario, trace, "encoder.0.self_attn.head.0.W_q@3")
    assert marks is not None
    assert marks.shape == (1, 4)
    assert np.flatnonzero(marks).tolist() == [1]
    _, marks = matrix_values(scenario, trace, "encoder.0.self_attn.head.0.W_q@3,1")
    assert marks is not None
    assert marks.shape == (1, 1)


@pytest.mark.parametrize("path", ["a.q@", "a.q@x", "a.q@1,", "a.pair@1", "a.q@-1"])
def test_an_invalid_place_is_refused(path):
    with pytest.raises(KeyError):
        part_of(path)


@pytest.mark.parametrize(
    ("swept", "place", "moves"),
    [
        ("decoder.0.cross_attn.head.1.W_q", (3, 1), {"q", PAIR, "weights"}),
        ("decoder.0.cross_attn.head.1.W_k", (3, 1), {"k", PAIR, "weights"}),
        ("output.W_out", (0, 0), set()),
        ("source.W_e", (1, 2), {"q", "k", PAIR, "weights"}),
    ],
)
def test_an_oscillation_has_the_products_of_each_of_its_frames(swept, place, moves):
    scenario = Scenario()
    trace = ForwardPassRunner().trace(scenario)
    values = np.linspace(-3, 3, 5)
    frames = sweep(trace, swept, place, values)
    at = "decoder.0.cross_attn.head.1."
    parts = {"q": f"{at}q@2", "k": f"{at}k@1", PAIR: f"{at}{PAIR}@2,1", "weights": f"{at}weights@2"}
    seen = {name: matrix_frames(frames, path) for name, path in parts.items()}
    # These queries are computed before the target's tokens attend to the source.
    if swept == "source.W_e":
        moves = moves - {"q"}
    assert {name for name, frame in seen.items() if frame is not None} == moves
    for t, value in enumerate(values):
        alone = scenario.with_value(swept, place, float(value))
        now = ForwardPassRunner().trace(alone)
        for name in moves:
            expected, _ = matrix_values(alone, now, parts[name])
            np.testing.assert_allclose(seen[name][t], expected, rtol=2e-4, atol=1e-5)


def test_large_links_are_the_weights_that_mix_the_values():
    scenario = Scenario().with_training(True)
    for name, value in {"dropout.preset": "torch", "dropout.attention_weights": 0.2}.items():
        scenario = scenario.with_setting(name, value)
    for now, leaf in ((scenario, "weights_dropout"), (scenario.with_training(False), "weights")):
        manifest = stages.attention.manifest(now, ForwardPassRunner().trace(now), 1)
        (large,) = [
            item
            for stage in manifest["stages"]
            for row in stage["rows"]
            for item in row["items"]
            if item.get("large")
        ]
        paths = [manifest["matrices"][index]["path"] for index in large["links"]]
        assert {path.rpartition(".")[2] for path in paths} == {leaf}
        assert len(paths) == 2
