"""The rows of formulas in a stage: complete, one for each head, and with true captions."""

import pytest
from tinkerformer.board import stages
from tinkerformer.board.stages import texts
from tinkerformer.board.view import ExploreView
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState


def rows(scenario, stage):
    """Return the rows of a stage: the paths and operators, the formulas and the caption of each."""
    manifest = stages.manifest(scenario, ForwardPassRunner().trace(scenario), 1)
    (found,) = (entry for entry in manifest["stages"] if entry["id"] == stage)
    return [
        (
            [
                manifest["matrices"][item["matrix"]]["path"].removeprefix(f"{stage}.")
                if "matrix" in item
                else item.get("operator", "links")
                for item in row["items"]
            ],
            row["tex"] or [],
            row["caption"] or "",
        )
        for row in found["rows"]
    ]


ENCODER = "encoder.0.self_attn"


@pytest.mark.parametrize("head", [0, 1])
def test_each_head_has_a_row_for_its_mix_of_values(head):
    items = [f"head.{head}.weights", r"\cdot", f"head.{head}.v", "=", f"head.{head}.context"]
    (row,) = (row for row in rows(Scenario(), ENCODER) if row[0] == items)
    assert row[1] == [rf"Z_{{{head + 1}}} = A_{{{head + 1}}}\,V_{{{head + 1}}}"]


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("bias", [False, True])
def test_no_row_begins_or_ends_with_an_operator(norm, bias):
    scenario = Scenario().with_setting("norm", norm).with_setting("attention_bias", bias)
    scenario = scenario.with_training(True)
    manifest = stages.manifest(scenario, ForwardPassRunner().trace(scenario), 1)
    for stage in manifest["stages"]:
        for row in stage["rows"]:
            # The row of a bias continues the row above, column by column.
            goes_on = row.get("stacked") and row["tex"] is None
            assert goes_on or "operator" not in row["items"][0], (stage["id"], row["tex"])
            assert "operator" not in row["items"][-1], (stage["id"], row["tex"])


def test_with_dropout_the_values_are_mixed_by_the_weights_after_dropout():
    scenario = Scenario().with_setting("dropout.preset", "torch").with_training(True)
    mixed = [items for items, *_ in rows(scenario, ENCODER) if items[-1] == "head.0.context"]
    assert [items[0] for items in mixed] == ["head.0.weights_dropout"]


def test_no_sentence_states_that_an_edited_row_of_weights_sums_to_one():
    def said(scenario, head):
        return next(
            caption
            for items, _, caption in rows(scenario, ENCODER)
            if items[0] == f"head.{head}.weights" and "=" not in items
        )

    assert said(Scenario(), 0) == texts.SHARES
    changed = Scenario().with_value(f"{ENCODER}.weights", (0, 1, 1), 0.9)
    assert said(changed, 0) == texts.NO_SHARES
    assert said(changed, 1) == texts.SHARES


def test_a_padding_token_is_explained_at_its_mask():
    padded = Scenario().with_tokens("source", ["the", "<pad>"])
    for scenario, is_said in ((Scenario(), False), (padded, True)):
        captions = [caption for *_, caption in rows(scenario, ENCODER)]
        assert any(texts.PADDED in caption for caption in captions) == is_said
    causal = [caption for *_, caption in rows(Scenario(), "decoder.0.self_attn")]
    assert any(texts.CAUSAL in caption for caption in causal)


def test_a_bias_is_above_the_result_of_its_sum():
    scenario = Scenario().with_setting("attention_bias", True)
    found = {stage: rows(scenario, stage) for stage in (ENCODER, "encoder.0.feed_forward")}
    items = [row[0] for stage in found.values() for row in stage]
    for bias, result in (("b_1", "hidden"), ("b_2", "out"), ("b_o", "out")):
        assert ["+", bias, "=", result] in items
    above = items[items.index(["+", "b_1", "=", "hidden"]) - 1]
    assert above[1:] == [r"\cdot", "W_1"]


def test_the_norm_is_below_its_scale_and_shift():
    scenario = Scenario()
    manifest = stages.manifest(scenario, ForwardPassRunner().trace(scenario), 1)
    (stage,) = (entry for entry in manifest["stages"] if entry["id"] == ENCODER)
    stacked = [row for row in stage["rows"] if row.get("stacked") and row["tex"]]
    paths = [manifest["matrices"][item["matrix"]]["path"] for item in stacked[0]["items"]]
    assert [path.rpartition(".")[2] for path in paths] == ["gamma", "beta", "norm"]
    columns = {manifest["matrices"][item["matrix"]]["cols"] for item in stacked[0]["items"]}
    assert len(stacked) == len(columns) == 1


def test_stages_have_their_settings_as_declared():
    scenario = Scenario().with_setting("attention_scale", "none")
    manifest = stages.manifest(scenario, ForwardPassRunner().trace(scenario), 1)
    found = {
        (stage["id"], field["name"]): field
        for stage in manifest["stages"]
        for field in stage.get("settings", ())
    }
    declared = scenario.settings.field("attention_scale")
    assert found[ENCODER, "attention_scale"] == declared
    assert found[ENCODER, "attention_scale"]["value"] == "none"
    assert (ENCODER, "causal_mask") not in found
    assert ("decoder.0.self_attn", "causal_mask") in found
    assert found["output", "label_smoothing"]["kind"] == "number"
    assert {name for _, name in found} == stages.settings.NAMES


def test_a_setting_in_a_stage_changes_the_model_or_states_why_it_cannot():
    state = AppState(Scenario())
    view = ExploreView(state)
    view.show_view("formulas")

    def say(name, value):
        view.board.component.receive({"type": "setting", "name": name, "value": value})

    say("norm", "pre")
    say("dropout.embedding", "0.3")
    assert (state.scenario.settings.norm, state.scenario.settings.dropout.embedding) == ("pre", 0.3)
    before = state.scenario
    say("dropout.embedding", "2")
    assert "embeddings" in state.notice
    say("d_model", "16")  # a setting without a control there
    say("norm", ["pre"])
    assert state.scenario is before
    state.undo()
    assert state.scenario.settings.dropout.embedding == 0.1
