"""The loss as a landscape: its heights, compared with single passes, and moves on it."""

import asyncio
from itertools import pairwise

import numpy as np
import pytest
from tinkerformer.charts.landscape import LandscapeChart, contour_levels
from tinkerformer.ideas.landscape import computation as landscape
from tinkerformer.ideas.landscape.landscape import LandscapePlace
from tinkerformer.ideas.settings import IdeaSettings, LandscapeSettings
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress

from tests.app.idea_page import PHRASES, IdeaPage
from transformer_math import Labels, Recipe, Trainer, Transformer

X, Y = "encoder.0.self_attn.head.1.W_q[2,3]", "output.W_out[4,7]"
OVER_NUMBERS = {"x": X, "y": Y}


class Picture(IdeaPage):
    """A page that shows the landscape."""

    def __init__(self, scenario=PHRASES, **settings):
        chosen = LandscapeSettings(**(settings or OVER_NUMBERS))
        super().__init__("landscape", LandscapePlace, scenario=scenario, landscape=chosen)
        self.place = self.control

    def move(self, x, y, press=1, held=True):
        return super().move(0, (x, y), press, held)

    def values(self):
        return [
            self.state.trace["encoder.0.self_attn.head.1.W_q"].value[2, 3],
            self.state.trace["output.W_out"].value[4, 7],
        ]

    @property
    def chart(self):
        return next(x.object for x in self.placed if type(x).__name__ == "Chart")


async def test_a_line_in_a_frame_of_equal_size_replaces_a_pending_landscape(monkeypatch):
    monkeypatch.setattr("tinkerformer.model.inference.cost.INLINE", 0)
    shown = Picture()
    shown.state.ideas = IdeaSettings(landscape=LandscapeSettings(over="words"))
    chart = next(x for x in shown.placed if type(x).__name__ == "Chart")
    (frame,) = [x for x in shown.placed if "aria-hidden" in str(getattr(x, "object", ""))]
    assert frame.visible
    assert not chart.visible
    assert not shown.place.visible
    assert "Computing" in shown.sentence
    for _ in range(500):
        if shown.place.visible:
            break
        await asyncio.sleep(0.02)
    assert chart.visible
    assert not frame.visible
    assert "Computing" not in shown.sentence
    # The position of the word is in the middle.
    assert np.add(shown.place.low, shown.place.high) == pytest.approx([0, 0])


def loss(scenario):
    """Return the loss of the right words in a separate pass."""
    return float(ForwardPassRunner().trace(landscape.asked_for(scenario))["output.loss"].value)


def test_over_two_numbers_the_heights_equal_the_losses_of_separate_passes():
    shown = Picture()
    assert shown.place.value == pytest.approx(shown.values(), abs=1e-6)
    assert f"is {loss(PHRASES):.3f} at the dot" in shown.sentence
    x, y = shown.place.least
    edited = PHRASES.with_value("encoder.0.self_attn.head.1.W_q", (2, 3), x)
    edited = edited.with_value("output.W_out", (4, 7), y)
    assert f"the lowest place, it is {loss(edited):.3f}" in shown.sentence
    least = loss(edited)
    for far in (-1.0, 1.0):  # the loss between is not lower
        between = edited.with_value("output.W_out", (4, 7), y + far)
        assert loss(between) >= least - 1e-6


def test_a_press_sets_both_numbers_and_keeps_the_landscape():
    shown = Picture()
    chart, low = shown.chart, shown.place.low
    x, y = np.add(shown.values(), (0.75, -0.5))
    assert shown.move(float(x), float(y)) == ""
    assert shown.values() == pytest.approx([x, y], abs=1e-6)
    assert shown.place.receive({"type": "release"}) == ""
    assert shown.place.value == pytest.approx([x, y], abs=1e-6)
    assert (shown.chart, shown.place.low) == (chart, low)
    assert shown.place.is_moved
    assert "You moved " in shown.sentence
    assert f") from {x - 0.75:.2f} to {x:.2f} and up (".replace("-", "−") in shown.sentence
    at = float(shown.sentence.partition("loss of ")[2].split(" to ")[1].partition(". At")[0])
    assert at == pytest.approx(loss(shown.state.scenario), abs=4e-3)  # interpolated
    assert shown.place.receive({"type": "restore"}) == ""
    assert not shown.state.scenario.edits
    assert "You moved" not in shown.sentence


def test_visited_places_are_kept_with_their_losses():
    shown = Picture()
    x, y = shown.values()
    assert shown.place.visited == []
    for by in (0.2, 0.5, 0.9):  # a drag adds only the place where it ends
        shown.move(float(x) + by, float(y))
    assert len(shown.place.visited) == 1  # the place where it began
    shown.place.receive({"type": "release"})
    assert len(shown.place.visited) == 2
    shown.place.receive({"type": "step"})
    assert len(shown.place.visited) == 3
    assert float(shown.place.visited[2]) <= float(shown.place.visited[1])
    assert shown.place.visited[2] in shown.sentence
    sources = [getattr(each, "data_source", None) for each in shown.chart.renderers]
    track = next(each for each in sources if each is not None and "loss" in each.data)
    assert track.data["loss"] == shown.place.visited
    assert track.data["x"][:2] == pytest.approx([x, x + 0.9], abs=1e-5)
    shown.state.undo()
    assert len(shown.place.visited) == 2
    shown.place.receive({"type": "restore"})
    assert shown.place.visited == []


def test_another_edit_computes_another_landscape():
    shown = Picture()
    chart = shown.chart
    shown.state.change(shown.state.scenario.with_value("source.W_e", (1, 1), 3.0))
    assert shown.chart is not chart
    assert f"is {loss(shown.state.scenario):.3f} at the dot" in shown.sentence


def test_by_default_the_steepest_numbers_are_drawn_and_the_selected_number_is_offered():
    shown = Picture(x="", y="")
    trace = ForwardPassRunner().with_gradients(landscape.asked_for(PHRASES))
    steepest = max(
        (float(np.abs(trace[path].grad).max()), path)
        for path in PHRASES.config.parameter_shapes()
        if path in trace and trace[path].grad is not None
    )[1]
    form = next(x for x in shown.placed if hasattr(x, "sections"))
    options = form.sections[0].own["x"]["options"]
    assert options[0][0].startswith(steepest)
    shown.state.selection = CellAddress("source.W_e", 3, 2)
    values = [value for value, _ in form.sections[0].own["x"]["options"]]
    assert "source.W_e[3,2]" in values
    form.receive({"type": "change", "name": "y", "value": "source.W_e[3,2]"})
    assert shown.state.ideas.landscape.y == "source.W_e[3,2]"
    assert shown.place.names[1].startswith("embedding, dimension 2 of “")


def test_over_two_words_a_place_is_a_share_of_each_way():
    shown = Picture(over="words")
    assert shown.place.names == ["“black” toward “white”", "“on” toward “in”"]
    assert shown.place.value == pytest.approx([0, 0], abs=1e-6)
    assert shown.move(0.5, 1.0, press=0, held=False) == ""
    table = ForwardPassRunner().trace(PHRASES)["source.W_e"].value
    now = shown.state.trace["source.W_e"].value
    black, white, on, into = map(PHRASES.source_vocabulary.index, ("black", "white", "on", "in"))
    assert now[black] == pytest.approx((table[black] + table[white]) / 2, abs=1e-6)
    assert now[on] == pytest.approx(table[into], abs=1e-6)
    assert shown.place.value == pytest.approx([0.5, 1], abs=1e-5)
    assert "You moved " in shown.sentence
    assert "(“black” toward “white”) from 0.00 to 0.50 and up (“on” toward" in shown.sentence
    at = float(shown.sentence.partition("loss of ")[2].split(" to ")[1].partition(". At")[0])
    assert at == pytest.approx(loss(shown.state.scenario), abs=0.01)


def test_over_a_run_the_path_ends_at_the_present_model():
    pairs = PHRASES.data.pairs()
    model = Transformer.create(PHRASES.learned_config, 3)
    trainer = Trainer(model, pairs, Recipe.preset("phrases"))
    kept = {0: trainer.parameters()}
    for step in range(1, 13):
        next(trainer)
        kept[step] = trainer.parameters()
    ground, way = landscape.of_run(trainer.model, pairs, 0.1, kept, 12)
    assert way.places[-1] == pytest.approx([0, 0])
    assert way.steps == [*range(13)]
    assert 0.5 < way.share <= 1
    # A point of the path in the plane has its model's loss; the last point has it exactly.
    found = landscape.survey(ground, 11)
    source, target = pairs.rows(np.arange(landscape.EXAMPLES))
    labels = Labels(target[:, 1:], 0.1)
    end = float(trainer.model(source, target[:, :-1], labels=labels)["output.loss"].value)
    here = landscape.survey(
        ground._replace(
            across=ground.across._replace(low=-1, high=1), up=ground.up._replace(low=-1, high=1)
        ),
        3,
    )
    assert here.losses[1, 1] == pytest.approx(end, rel=1e-5)
    moved = {
        path: array + ground.across.direction[path] - ground.up.direction[path]
        for path, array in trainer.model.parameters.items()
    }
    other = Transformer(trainer.model.config, {k: v.astype(np.float32) for k, v in moved.items()})
    beside = float(other(source, target[:, :-1], labels=labels)["output.loss"].value)
    assert here.losses[0, 2] == pytest.approx(beside, rel=1e-4)
    assert np.isfinite(found.losses).all()
    assert "12" in landscape.sentence_of_way(way, found)


def test_without_a_run_the_picture_says_that_there_is_none():
    shown = Picture(over="run")
    assert "No run has been made on this page yet" in shown.sentence
    assert not shown.place.visible


def test_a_large_model_has_fewer_places_and_a_very_large_one_none():
    assert landscape.side(1_000) == 41
    assert landscape.side(1_000_000) == 31
    assert landscape.side(8_000_000) == 11
    assert landscape.side(80_000_000) is None


def test_contour_levels_rise_even_if_all_heights_are_equal():
    for losses in (np.array([[1.0, 2.0], [3.0, np.inf]]), np.ones((2, 2)), np.full((2, 2), np.nan)):
        levels = contour_levels(losses)
        assert (np.diff(levels) > 0).all()
        axis = np.array([0.0, 1.0])
        for dark in (False, True):
            for palette in ("blue-red", "safe"):
                chart = LandscapeChart(axis, axis, losses, ("a", "b"), palette, dark)
                chart.mark((0, 0), (1, 1), [])


def test_a_step_downhill_is_against_the_slope_and_never_climbs():
    shown = Picture()
    before = shown.place.value, loss(shown.state.scenario)
    losses = [before[1]]
    for _ in range(6):
        assert shown.place.receive({"type": "step"}) == ""
        losses.append(loss(shown.state.scenario))
    assert shown.place.value != before[0]
    assert all(after <= now + 2e-3 for now, after in pairwise(losses))
    assert losses[-1] < losses[0]


def test_steps_downhill_in_a_bowl_reach_its_middle():
    xs = np.linspace(-1, 1, 41)
    bowl = landscape.Landscape(xs, xs, xs[:, None] ** 2 + 3 * xs**2)
    axis = landscape.Axis("", -1.0, 1.0, 0.0, {})
    ground = landscape.Ground(None, axis, axis, "")
    place = (0.7, -0.6)
    for _ in range(40):
        place = landscape.downhill(ground, bowl, place)
    assert place == pytest.approx((0, 0), abs=0.06)
