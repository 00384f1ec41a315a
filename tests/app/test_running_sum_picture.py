import re

import numpy as np
import pytest
from tinkerformer.files import catalog
from tinkerformer.ideas.running_sum.view import StreamPicture
from tinkerformer.ideas.temperature.view import SoftmaxPicture
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence

from tests.app.idea_page import DRAG, KEY, choose, fields, opened, picture_around, said


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("decoder", [0, 1])
@pytest.mark.parametrize("reading", ["lens", "end"])
def test_the_bars_add_up_to_the_logit(norm, decoder, reading):
    scenario = Scenario().with_setting("norm", norm).with_setting("decoder_layers", decoder)
    state, picture = opened(StreamPicture, scenario)
    choose(picture, "stream.reading", reading)
    assert ("followed to the end" in picture._note.object) == (reading == "end")
    for level in range(3):
        picture.bars.receive({"type": "unfold", "level": level})
        rows = picture.bars.data["rows"]
        steps = [row for row in rows if row["part"] < 0 and row["level"] >= 0]
        parts = [row for row in rows if row["part"] >= 0]
        total = rows[-1]["to"]
        assert sum(row["value"] for row in steps) == pytest.approx(total)
        assert sum(p["value"] for p in parts) == pytest.approx(steps[level]["value"], abs=1e-5)
        own = state.trace["output.logits"].value.max(axis=1)
        assert np.abs(own - total).min() < 1e-4
    assert f"add up to {total:.3f}" in said(picture)


def test_dragging_the_bar_of_a_head_changes_its_context():
    state, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    picture.bars.receive({"type": "unfold", "level": 1})
    row = next(r for r in picture.bars.data["rows"] if r["label"] == "head 1")
    path = "decoder.0.self_attn.head.0.context"
    assert row["title"] == path
    before = state.trace[path].value[2].copy()
    pull = {"type": "pull", "level": 1, "part": row["part"]}
    # The bar's end follows the pointer, even if the norm's divisor changes.
    for by in (-0.4, 0.3):
        picture.bars.receive({**pull, "value": row["value"] + by, **DRAG})
        now = next(r for r in picture.bars.data["rows"] if r["label"] == "head 1")
        assert now["to"] == pytest.approx(row["to"] + by, abs=1e-3)
        factors = state.trace[path].value[2] / before
        np.testing.assert_allclose(factors, factors[0], rtol=1e-4)
    picture.bars.receive({"type": "release"})
    assert len(state.history.past) == 1
    other = {**pull, "part": 99, "value": 1.0, **KEY}
    assert picture.bars.receive(other) == ""
    assert len(state.history.past) == 1


@pytest.mark.parametrize("reading", ["lens", "end"])
@pytest.mark.parametrize("by", [30, -30])
def test_a_bar_stops_at_its_limit_and_the_text_states_the_reason(reading, by):
    _, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    choose(picture, "stream.reading", reading)
    picture.bars.receive({"type": "unfold", "level": 3})
    row = next(r for r in picture.bars.data["rows"] if r["label"] == "the activations × W₂")
    pull = {"type": "pull", "level": 3, "part": row["part"]}
    ends = []
    for share in (0.01, 0.5, 1.0):
        picture.bars.receive({**pull, "value": row["value"] + share * by, **DRAG})
        ends.append(next(r for r in picture.bars.data["rows"] if r["label"] == row["label"])["to"])
    assert ends[1] == pytest.approx(ends[2], abs=1e-3)  # farther drags do not move it
    assert (ends[2] - row["to"]) * by > 0
    assert "It stops here" in said(picture)
    picture.bars.receive({"type": "release"})
    picture.draw()
    assert "It stops here" not in said(picture)


def test_a_probability_that_moves_against_its_logit_is_mentioned():
    state, picture = opened(StreamPicture)
    picture.bars.receive({"type": "unfold", "level": 3})
    column = state.scenario.output_vocabulary.index("noir")

    def now() -> tuple[float, float]:
        paths = "output.logits", "output.probabilities"
        logit, share = (float(state.trace[path].value[2, column]) for path in paths)
        return logit, share

    (logit, share), told = now(), set()
    for row in [r for r in picture.bars.data["rows"] if r["level"] == 3 and r["part"] > 0]:
        pull = {"type": "pull", "level": 3, "part": row["part"]}
        choose(picture, "stream.row", 2)
        choose(picture, "stream.word", "noir")
        for by in (-0.4, 0.2, 0.4):
            picture.bars.receive({**pull, "value": row["value"] + by, **DRAG})
            new_logit, new_share = now()
            is_against = (new_logit - logit) * (new_share - share) < 0
            told.add(is_against)
            way = "falls" if new_share < share else "rises"
            sentence = f"Its probability {way} all the same, {share:.3f} → {new_share:.3f}"
            if abs(new_share - share) > 1e-3:
                assert (sentence in said(picture)) == is_against
        picture.bars.receive({"type": "release"})
        state.undo()
    assert told == {True, False}


def test_a_short_bar_with_a_large_effect_is_mentioned():
    state, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    choose(picture, "stream.word", "noir")
    silenced = state.scenario.with_silence(Silence("decoder.0.cross_attn.out", 2))
    without = ForwardPassRunner().trace(silenced)["output.logits"].value[2]
    logit = without[state.scenario.output_vocabulary.index("noir")]
    assert "The bar of cross-attention is +0.052" in picture._note.object
    assert f"would be {logit:.3f}, not".replace("-", "−") in picture._note.object


def test_the_sentence_of_the_unfolded_step_agrees_with_the_picture():
    _, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    picture.bars.receive({"type": "unfold", "level": 3})
    rows = picture.bars.data["rows"]
    step = next(r for r in rows if r["level"] == 3 and r["part"] < 0)
    kept = next(r for r in rows if r["label"].startswith("the row before it, divided by "))
    own = step["value"] - kept["value"]
    assert f"The parts of this step add {own:+.3f}".replace("-", "−") in said(picture)
    assert f"which is {kept['value']:+.3f}" in said(picture)


def test_without_residual_connections_each_step_replaces_the_row_before_it():
    state, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    state.change(state.scenario.with_setting("residual", False))
    picture.bars.receive({"type": "unfold", "level": 3})
    labels = [row["label"] for row in picture.bars.data["rows"]]
    assert "the row before it, which it replaces" in labels
    assert "Without a residual connection feed-forward network takes the place" in said(picture)
    assert "divides" not in said(picture)


def test_a_norm_divides_by_the_standard_deviation_of_the_row():
    state, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    picture.bars.receive({"type": "unfold", "level": 3})
    row = state.trace["decoder.0.feed_forward.residual"].value[2].astype(float)
    assert f"by its deviation, {row.std():.2f}, so the sum before it counts" in said(picture)
    lines = dict(picture.bars.data["numbers"])
    before, added, together, normed = (
        np.array([float(x.replace("−", "-")) for x in line]) for line in lines.values()
    )
    np.testing.assert_allclose(together, row, atol=0.006)
    np.testing.assert_allclose(before + added, together, atol=0.011)
    np.testing.assert_allclose(
        normed, state.trace["decoder.0.feed_forward.norm"].value[2], atol=0.006
    )
    assert list(lines)[-1].startswith("layer norm: ")


def test_the_written_sums_equal_those_of_the_bars():
    _, picture = opened(StreamPicture)
    for level in range(4):
        picture.bars.receive({"type": "unfold", "level": level})
        for each in picture.bars.data["sums"]:
            left, sign, right = re.split(" ([=≈]) ", each["sum"])
            terms = re.findall(r"[-+]?\d+\.\d+", left.replace("−", "-").replace(" ", ""))
            found = sum(map(float, terms))
            assert found == pytest.approx(float(right.replace("−", "-")), abs=5e-3)
            assert sign == "≈" or round(found, 4) == float(right.replace("−", "-"))
    total = picture.bars.data["sums"][1]["sum"].rpartition(" ")[2]
    assert f"{float(total):.3f}" == picture.bars.data["total"]


def test_the_header_and_the_picture_show_the_same_row():
    state, picture = opened(StreamPicture)
    assert state.location.asked == 2
    choose(picture, "stream.row", 4)
    assert state.location.asked == 4
    state.go("asked", 1)
    assert fields(picture)["stream.row"]["value"] == 1
    softmax = picture_around(SoftmaxPicture, state)
    assert fields(softmax)["softmax.row"]["value"] == 1


def test_dragging_a_bar_states_its_factor_and_the_logit():
    state, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    picture.bars.receive({"type": "unfold", "level": 1})
    plain = said(picture)
    row = next(r for r in picture.bars.data["rows"] if r["label"] == "head 1")
    pull = {"type": "pull", "level": 1, "part": row["part"]}
    path, logit = "decoder.0.self_attn.head.0.context", picture.bars.data["total"]
    before = state.trace[path].value[2].copy()
    for by in (-0.4, -0.2):  # each key press starts from the present number, and both are one drag
        now = next(r for r in picture.bars.data["rows"] if r["label"] == "head 1")
        picture.bars.receive({**pull, "value": now["value"] + by, **KEY})
    factor = float((state.trace[path].value[2] / before)[0])
    assert f"the numbers of “head 1” by {factor:.2f}: it adds " in said(picture)
    assert f"in place of {row['value']:+.3f}".replace("-", "−") in said(picture)
    assert f"goes from {logit} to {picture.bars.data['total']}." in said(picture)
    state.undo()
    state.undo()
    assert said(picture) == plain


@pytest.mark.parametrize("reading", ["lens", "end"])
def test_a_bar_that_moves_left_though_its_factor_grows_is_explained(reading):
    state, picture = opened(StreamPicture)
    choose(picture, "stream.row", 2)
    choose(picture, "stream.reading", reading)
    why = set()
    for level in range(4):
        picture.bars.receive({"type": "unfold", "level": level})
        for row in [each for each in picture.bars.data["rows"] if each["pulls"]]:
            for by in (-0.3, 0.3):
                value = row["value"] + by
                pull = {"type": "pull", "level": level, "part": row["part"], "value": value}
                picture.bars.receive({**pull, **DRAG})
                text = said(picture)
                now = next(
                    each
                    for each in picture.bars.data["rows"]
                    if (each["level"], each["part"]) == (level, row["part"])
                )
                factor = float(re.search(r"” by ([^ ]+): it", text)[1].replace("−", "-"))
                moved = now["to"] - row["to"]
                found = re.search(r"Its numbers lower this logit|and yet its bar ends", text)
                assert (found is not None) == (factor > 0 and moved * (factor - 1) < 0), text
                if found:
                    way = "left" if moved < 0 else "right"
                    assert f"its bar ends farther {way}" in text
                    why.add(found[0])
                if found and found[0].startswith("Its"):
                    assert row["value"] < 0
                picture.bars.receive({"type": "release"})
                state.undo()
    assert len(why) == 2  # the bars have both reasons


def test_the_stream_explains_why_an_output_with_a_network_has_no_sum() -> None:
    scenario = catalog.first("blanks")
    state, picture = opened(StreamPicture, scenario.with_setting("output_transform", True))
    assert "a logit is not a sum along the stream" in said(picture)
    assert not picture.bars.visible
    state.change(scenario)
    assert picture.bars.visible
    assert "no sum" not in said(picture)


def test_the_dragged_bar_remains_shown():
    """By default, the marked word and step are shown, but a drag may change the marks."""
    state, picture = opened(StreamPicture)
    data = picture.bars.data
    row = next(row for row in data["rows"] if row["pulls"])
    pull = {"type": "pull", "level": row["level"], "part": row["part"]}
    names = [each["label"].rstrip("0123456789.") for each in data["rows"]]
    for value in (2.0, -8.0, 0.01):
        picture.bars.receive({**pull, "value": value * row["value"], **DRAG})
        now = [each["label"].rstrip("0123456789.") for each in picture.bars.data["rows"]]
        assert now == names
    assert state.dragging
    picture.bars.receive({"type": "release"})
    assert not state.dragging
    assert [each["label"].rstrip("0123456789.") for each in picture.bars.data["rows"]] == names
