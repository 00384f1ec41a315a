import asyncio
import json
import re

import numpy as np
import pytest
from tinkerformer.board.messages import PullMessage
from tinkerformer.board.view import ExploreView
from tinkerformer.experiments.free_numbers import choices, free_numbers
from tinkerformer.experiments.pulling import pulling
from tinkerformer.features.header.view import HeaderView
from tinkerformer.features.prediction.view import PredictionView
from tinkerformer.features.pull.view import PullView, _nearer
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.session.address import page_address
from tinkerformer.session.results import Results
from tinkerformer.session.session_json import SavedSession
from tinkerformer.session.state import AppState

from tests.app.whole_app.browser import Browser
from transformer_math.experiments import Wish
from transformer_math.ops.tensor import split_head


class Page:
    """A page with the bars, the line of the search, and an event loop that the test controls."""

    def __init__(self, query=""):
        self.state = AppState(address=page_address(query))
        self.prediction = PredictionView(self.state).prediction
        self.results = Results()
        self.view = PullView(self.state, self.results)
        self.prediction.on_pull(self.view.pull_word)
        self.prediction.on_wish(self.view.make_written)
        self.view.line.value = "output"  # the fastest choice
        self.row = self.state.scenario.target.index("chat")

    async def pull(self, word, value, row=None):
        row = self.row if row is None else row
        self.prediction.receive({"type": "pull", "row": row, "word": word, "value": value})
        await self.settled()

    async def settled(self):
        while tasks := [*self.view._steps._tasks._tasks, *self.view._singles._search._tasks._tasks]:
            await asyncio.gather(*tasks)

    def probability(self, word):
        words = self.state.scenario.output_vocabulary
        return float(self.state.trace[PROBABILITIES].value[self.row, words.index(word)])

    def press(self, name):
        self.view.line.receive({"type": "press", "name": name})


def on_page(test):
    """Run a coroutine on a new page."""

    def run():
        asyncio.run(test(Page()))

    run.__name__ = test.__name__
    return run


@on_page
async def test_a_pulled_word_gets_the_requested_probability_and_the_sentence_is_rewritten(page):
    page.view.line.value = "everything"
    before, orders = page.state.scenario, []
    page.view.line.param.watch(lambda _event: orders.append(page.view.line.shown["order"]), "rows")
    await page.pull("blanc", 0.8)
    assert page.probability("blanc") == pytest.approx(0.8, abs=0.01)
    assert page.state.scenario.target[page.row + 1] == "blanc"
    assert page.view.line.visible
    assert page.view.line.shown["tone"] == "granted"
    assert "numbers moved" in page.view.line.shown["cost"]
    # The numbers are listed as soon as the pull succeeds.
    assert page.view.line.rows
    assert set(orders) == {"The largest move first."}
    assert page.state.before_experiment == before
    assert not page.state.history.past


@pytest.mark.parametrize("value", ["everything", "output"])
def test_the_line_and_the_edits_and_the_headline_count_the_same_numbers(value):
    async def test(page):
        page.view.line.value, costs = value, []
        before = page.state.scenario
        page.view.line.param.watch(lambda event: costs.append(event.new["cost"]), "shown")
        await page.pull("blanc", 0.8)
        said = re.search(r"^([\d,]+) numbers moved, none by more than ([\d.]+)\.$", costs[-1])
        assert int(said[1].replace(",", "")) == len(page.state.scenario.edits)
        was = page.state.runner.trace(before)
        far = max(
            abs(x - float(was[path].value[index]))
            for path, cells in page.state.scenario.overrides().items()
            for index, x in cells.items()
        )
        assert float(said[2]) >= far > float(said[2]) - 0.0101
        page.press("keep")
        cause = page.state.view_model.change.cause
        counted = re.search(r"([\d,]+) (more )?numbers", cause)
        named = cause.count("; ")
        assert int(counted[1].replace(",", "")) + named == len(page.state.scenario.edits)

    asyncio.run(test(Page()))


@on_page
async def test_the_line_states_the_probability_that_the_page_shows(page):
    """Even if earlier words change, because the model rewrites the sentence."""
    line, stated = page.view.line, []

    def read(event):
        if (found := re.search(r"now (\.\d+)", event.new["cost"])) is not None:
            stated.append((float(found[1]), page.probability("le"), page.state.scenario.target))

    page.row = 8  # the last row
    line.param.watch(read, "shown")
    line.value = "everything"
    await page.pull("le", 0.9)
    assert len({target[: page.row + 1] for _, _, target in stated}) > 1
    for now, shown, _ in stated:
        assert now == pytest.approx(shown, abs=0.006)


@on_page
async def test_pressing_back_restores_all_numbers_even_during_the_first_step(page):
    before = page.state.scenario
    say = {"type": "pull", "row": page.row, "word": "blanc", "value": 0.8}
    for settles in (True, False):
        page.prediction.receive(say)
        if settles:
            await page.settled()
        page.press("back")
        await page.settled()
        assert page.state.scenario == before
        assert not page.view.line.visible
        assert not page.state.history.past


@on_page
async def test_a_pull_is_one_step_of_undo_before_and_after_it_is_kept(page):
    before, header = page.state.scenario, HeaderView(page.state)

    def can_undo():
        return not next(f for f in header.form.fields if f["name"] == "undo")["disabled"]

    assert not can_undo()
    await page.pull("blanc", 0.5)
    await page.pull("blanc", 0.8)
    assert can_undo()
    page.press("keep")
    assert can_undo()
    assert [step.scenario for step in page.state.history.past] == [before]
    assert page.probability("blanc") == pytest.approx(0.8, abs=0.01)
    assert not page.view.line.visible
    page.state.undo()
    assert page.state.scenario == before
    assert not can_undo()
    await page.pull("blanc", 0.8)
    page.state.undo()
    assert page.state.scenario == before
    assert page.state.before_experiment is None


@on_page
async def test_another_edit_keeps_the_result_of_a_pull(page):
    await page.pull("blanc", 0.8)
    edited = page.state.scenario.with_value("source.W_e", (0, 0), 1.0)
    page.state.change(edited)
    assert len(page.state.history.past) == 2
    assert not page.view.line.visible


@on_page
async def test_a_second_pulled_word_keeps_the_first(page):
    await page.pull("blanc", 0.45)
    await page.pull("noir", 0.45)
    assert page.probability("blanc") == pytest.approx(0.45, abs=0.01)
    assert page.probability("noir") == pytest.approx(0.45, abs=0.01)
    assert "thousands of pulls" in page.view.line.shown["cost"]


@on_page
async def test_other_numbers_can_be_chosen_and_a_failure_is_explained(page):
    page.view.line.value = "words"
    await page.pull("blanc", 0.8)
    page.view.line.accept("value", "output")
    await page.settled()
    assert {edit.path for edit in page.state.scenario.edits} <= {"output.W_out", "output.b_out"}
    assert page.view.line.shown["tone"] == "granted"
    # Later words cannot affect this row.
    page.view.line.accept("value", "nowhere")
    assert page.view.line.value == "output"


@on_page
async def test_only_the_last_pull_of_a_drag_continues(page):
    for value in (0.2, 0.4, 0.6):
        say = {"type": "pull", "row": page.row, "word": "blanc", "value": value}
        page.prediction.receive(say)
    await page.settled()
    assert page.probability("blanc") == pytest.approx(0.6, abs=0.01)


@on_page
async def test_a_pull_after_another_never_shows_the_numbers_from_before_the_first(page):
    shown, costs, titles = [], [], []
    page.state.param.watch(lambda _event: shown.append(page.probability("blanc")), "scenario")
    page.view.line.param.watch(lambda event: costs.append(event.new["cost"]), "shown")
    page.view.line.param.watch(lambda event: titles.append(event.new["wish"]), "shown")
    start = page.probability("blanc")
    await page.pull("blanc", 0.5)
    assert shown
    last = 0.5
    for value in (0.7, 0.9, 0.6):
        shown.clear()
        costs.clear()
        await page.pull("blanc", value)
        assert shown
        assert min(shown) > 0.49 > start
        seen = [round(p, 2) for p in shown]
        assert seen == sorted(seen, reverse=value < last)
        last = value
        assert shown[-1] == pytest.approx(value, abs=0.01)
        assert all(costs)  # the size of the change is always stated
        assert titles[-1] == f"Pulled “blanc” to {value:.2f}"


def test_after_success_only_the_last_smaller_change_is_shown():
    state = AppState()
    at = state.scenario.target.index("chat"), state.scenario.output_vocabulary.index("blanc")
    free = free_numbers(state.scenario, "words")
    steps = [*pulling(state.runner, state.scenario, [Wish(PROBABILITIES, at, 0.8)], free)]
    shown = [*_nearer(iter(steps), [0.8], [None])]
    granted = lambda some: sum(step.pulled.granted for step in some)  # noqa: E731
    assert granted(steps) > granted(shown) == 2
    assert shown[-1] is steps[-1]


@on_page
async def test_during_a_drag_a_running_pull_still_shows_steps(page):
    page.view.line.value = "everything"
    say = {"type": "pull", "row": page.row, "word": "blanc"}
    shown = []
    page.state.param.watch(lambda _event: shown.append(page.probability("blanc")), "scenario")
    for value in np.linspace(0.3, 0.9, 4000).tolist():
        page.prediction.receive({**say, "value": value})
        await asyncio.sleep(0.0005)  # less time than one step
        if shown:
            break
    assert shown
    await page.settled()
    assert shown[-1] == pytest.approx(value, abs=0.01)
    assert page.view.line.shown["wish"] == f"Pulled “blanc” to {value:.2f}"


@on_page
async def test_opening_a_session_ends_an_experiment(page):
    await page.pull("blanc", 0.8)
    page.state.snapshots.restore(SavedSession(catalog.first("dates")))
    assert page.state.before_experiment is None
    assert not page.view.line.visible
    page.press("back")
    assert page.state.scenario.model == "dates"


@on_page
async def test_a_position_that_the_text_lacks_is_reported(page):
    before = page.state.scenario
    rows = len(page.prediction.rows)
    page.prediction.rows = [*page.prediction.rows, "After nothing comes"]
    await page.pull("blanc", 0.8, row=rows)
    assert page.state.notice
    assert page.state.scenario == before
    assert not page.view.line.visible


async def test_a_locked_page_pulls_nothing():
    page = Page("lock")
    before = page.state.scenario
    await page.pull("blanc", 0.8)
    assert page.state.scenario == before
    assert page.state.notice


@pytest.mark.parametrize(
    "message",
    [
        {"row": 99, "word": "blanc", "value": 0.5},
        {"row": -1, "word": "blanc", "value": 0.5},
        {"row": True, "word": "blanc", "value": 0.5},
        {"row": 1, "word": 3, "value": 0.5},
        {"row": 1, "word": "blanc", "value": 2},
        {"row": 1, "word": "blanc", "value": float("nan")},
        {"row": 1, "word": "blanc", "value": "0.5"},
        {"row": 1, "word": "blanc"},
        {"row": 1, "word": "nobody knows it", "value": 0.5},
    ],
)
def test_a_malformed_pull_is_ignored(message):
    page = Page()
    page.prediction.receive({"type": "pull", **message})
    assert not page.view.line.visible


@pytest.mark.parametrize("word", ["la", "souris", "est"])
def test_a_relu_does_not_stop_a_pull_of_all_numbers(word):
    """On both sides of the kink, the gradient points across it, so small steps oscillated."""
    scenario = AppState().scenario
    cell = (scenario.target.index("chat"), scenario.output_vocabulary.index(word))
    free = free_numbers(scenario, "everything")
    *_, last = pulling(ForwardPassRunner(), scenario, [Wish(PROBABILITIES, cell, 0.8)], free)
    assert last.pulled.granted
    assert last.pulled.distance < 0.2


# -- links -----------------------------------------------------------------------------------------


CROSS = "decoder.0.cross_attn"


def link(scope, head, pair, value):
    query, key = pair
    place = {"scope": scope, "head": head, "query": query, "key": key}
    return {"type": "pull", **place, "value": value}


@on_page
async def test_a_link_gets_the_requested_weight_and_its_row_still_sums_to_one(page):
    before = page.state.trace[f"{CROSS}.head.1.weights"].value.copy()
    page.view.line.value = CROSS
    page.view.pull_link(link(CROSS, 1, (page.row, 3), 0.7))
    await page.settled()
    weights = page.state.trace[f"{CROSS}.head.1.weights"].value
    assert weights[page.row, 3] == pytest.approx(0.7, abs=0.01)
    assert abs(before[page.row, 3] - 0.7) > 0.1
    assert weights.sum(-1) == pytest.approx(1)
    assert page.view.line.shown["wish"] == "Pulled “chat” to “sat” in head 2 to 0.70"
    assert {split_head(edit.path)[0] for edit in page.state.scenario.edits} <= {
        f"{CROSS}.{leaf}" for leaf in ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")
    }
    assert f"{CROSS}.head.1" in [name for name, _ in page.view.line.options]


@on_page
async def test_a_masked_link_cannot_be_pulled(page):
    page.view.line.value = "decoder.0.self_attn"
    page.view.pull_link(link("decoder.0.self_attn", 0, (0, 2), 0.5))
    await page.settled()
    assert page.view.line.shown["tone"] == "refused"
    assert page.state.trace["decoder.0.self_attn.head.0.weights"].value[0, 2] == 0


@on_page
async def test_a_link_and_a_word_are_pulled_together(page):
    page.view.line.value = "everything"
    page.view.pull_link(link(CROSS, 0, (page.row, 2), 0.6))
    await page.settled()
    await page.pull("blanc", 0.7)
    assert page.view.line.shown["tone"] == "granted"
    assert page.probability("blanc") == pytest.approx(0.7, abs=0.01)
    weights = page.state.trace[f"{CROSS}.head.0.weights"].value
    assert weights[page.row, 2] == pytest.approx(0.6, abs=0.01)


@pytest.mark.parametrize(
    ("scope", "head", "pair"),
    [
        ("attic", 0, (0, 0)),
        ("output", 0, (0, 0)),
        (CROSS, 9, (0, 0)),
        (CROSS, -1, (0, 0)),
        (CROSS, 0, (99, 0)),
        (CROSS, 0, (0, -1)),
    ],
)
def test_pulling_a_missing_link_does_nothing(scope, head, pair):
    page = Page()
    page.view.pull_link(link(scope, head, pair, 0.5))
    assert not page.view.line.visible


@pytest.mark.parametrize("value", [None, "0.5", True, 2, -1, float("nan")])
def test_only_links_pulled_to_a_share_are_reported_to_the_board(value):
    heard = []
    explore = ExploreView(AppState())
    explore.board.handle(PullMessage, heard.append)
    explore.board.component.receive(link(CROSS, 1, (2, 3), value))
    assert not heard
    explore.board.component.receive(link(CROSS, 1, (2, 3), 0.25))
    assert heard == [link(CROSS, 1, (2, 3), 0.25)]


# -- the numbers that a pull may change -----------------------------------------------------------


@pytest.mark.parametrize("model", ["phrases", "dates", "sandbox"])
def test_every_choice_has_numbers_and_only_those_of_the_model(model):
    scenario = (
        catalog.chosen(model, AppState().scenario) if model != "phrases" else AppState().scenario
    )
    shapes = scenario.config.parameter_shapes()
    found = choices(scenario, [("decoder.0.cross_attn.head.1.W_v", 0), ("source.sum", 1)])
    assert len({name for name, _ in found}) == len(found) == len({words for _, words in found})
    for name, _ in found:
        free = free_numbers(scenario, name)
        assert free
        for path, mask in free.items():
            assert mask is None or (mask.shape == shapes[path] and mask.any())
    parts = [
        free_numbers(scenario, name)
        for name, _ in found
        if name in {p.rsplit(".", 1)[0] for p in shapes}
    ]
    assert sum(map(len, parts)) == len(shapes)


def test_a_single_embedding_or_layer_may_be_chosen():
    scenario = AppState().scenario
    found = dict(choices(scenario, [("source.sum", 1), ("target.W_e", 5)]))
    black = scenario.ids("source")[1]
    assert found[f"source.W_e.row.{black}"] == "the embedding of “black” alone"
    assert "target.W_e.row.5" in found
    mask = free_numbers(scenario, f"source.W_e.row.{black}")["source.W_e"]
    assert np.flatnonzero(mask.any(1)).tolist() == [black]
    assert found["encoder.0"] == "all of encoder layer 1"
    free = free_numbers(scenario, "encoder.0")
    assert free
    assert all(path.startswith("encoder.0.") and mask is None for path, mask in free.items())
    mask = free_numbers(scenario, "words")["source.W_e"]
    assert set(np.flatnonzero(mask.any(1))) == set(scenario.ids("source"))


def test_in_a_large_model_only_as_many_numbers_may_change_as_a_session_can_store():
    scenario = catalog.first("paper-base")
    found = dict(choices(scenario, [("encoder.0.self_attn.head.1.W_q", 0)]))
    assert "words" in found
    assert not {"everything", "encoder.0", "encoder.0.self_attn"} & found.keys()
    dates = dict(choices(catalog.first("dates"), []))
    assert "everything" not in dates
    assert "encoder.0.self_attn" in dates


@on_page
async def test_a_change_of_the_page_ends_a_pull_before_its_first_step(page):
    page.view.pull_word(page.row, "blanc", 0.8)
    other = catalog.first("dates")
    page.state.change(other)
    await page.settled()
    assert page.state.scenario.model == "dates"
    assert not page.view.line.visible
    assert page.state.before_experiment is None


@on_page
async def test_undo_before_the_first_step_of_a_pull_remains(page):
    before = page.state.scenario
    page.state.change(before.with_value("source.W_e", (4, 3), 2.0))
    page.view.pull_word(page.row, "blanc", 0.8)
    page.state.undo()
    await page.settled()
    assert page.state.scenario == before


@on_page
async def test_a_pull_keeps_the_dropout_masks(page):
    page.state.change(page.state.scenario.with_training(True))
    await page.pull("blanc", 0.6)
    assert page.view.line.shown["tone"] == "granted"
    assert page.probability("blanc") == pytest.approx(0.6, abs=0.01)


def test_a_head_has_its_own_projections_and_its_rows_of_the_output_matrix():
    scenario = AppState().scenario
    free = free_numbers(scenario, "decoder.0.cross_attn.head.1")
    width = scenario.config.value_width
    assert set(free) >= {f"decoder.0.cross_attn.W_{leaf}" for leaf in "qkvo"}
    assert free["decoder.0.cross_attn.W_q"][1].all()
    assert not free["decoder.0.cross_attn.W_q"][0].any()
    rows = free["decoder.0.cross_attn.W_o"].all(1)
    assert np.flatnonzero(rows).tolist() == list(range(width, 2 * width))


@pytest.mark.parametrize("choice", ["", "attic", "decoder.0.cross_attn.head.x", "a.b.c"])
def test_parts_that_the_model_lacks_cannot_be_chosen(choice):
    with pytest.raises(ValueError, match="no such numbers"):
        free_numbers(AppState().scenario, choice)


def test_a_pull_does_not_change_earlier_edits():
    scenario = AppState().scenario.with_value("source.W_e", (4, 3), 2.0)
    word = scenario.output_vocabulary.index("blanc")
    *_, last = pulling(
        ForwardPassRunner(), scenario, [Wish(PROBABILITIES, (2, word), 0.5)], {"output.W_out": None}
    )
    assert last.pulled.granted
    assert scenario.edits.items() <= last.scenario.edits.items()
    trace = ForwardPassRunner().trace(last.scenario)
    assert trace[PROBABILITIES].value[2, word] == pytest.approx(0.5, abs=0.01)


def test_the_selected_matrix_and_head_are_offered():
    state = AppState()
    state.selection = CellAddress("decoder.0.cross_attn.head.1.W_v", 0, 0)
    view = PullView(state)
    view._offer()
    names = [name for name, _ in view.line.options]
    assert names[-2:] == ["decoder.0.cross_attn.head.1.W_v", "decoder.0.cross_attn.head.1"]


def test_a_kept_pull_is_saved_in_the_session_at_once():
    browser = Browser()
    word = {"row": 2, "word": "blanc", "value": 0.5}
    browser.say("Prediction", {"type": "pull", **word})
    browser.until(lambda: not browser.pulls)
    assert "edits" not in json.loads(browser.board.session), "what is only tried"
    browser.say("Pull", {"type": "press", "name": "keep"})
    assert "edits" in json.loads(browser.board.session)
    browser.close()
