import asyncio

import numpy as np
import pytest
import tinkerformer.experiments.single_changes as single_changes_module
from tinkerformer.board.view import ExploreView
from tinkerformer.experiments.number_rows import rows_of_moved
from tinkerformer.experiments.single_changes import marks_in, single_changes, strengths
from tinkerformer.features.measure.answer import AnswerSection
from tinkerformer.features.measure.view import Asks, ExperimentsView
from tinkerformer.features.prediction.view import PredictionView
from tinkerformer.features.pull.view import PullView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.model.matrices.values import REACH_LEVELS, REACH_SHIFT, REACHED
from tinkerformer.session.results import Results
from tinkerformer.session.state import AppState

from tests.app.test_pull import Page, on_page
from transformer_math.experiments import Likeliest, single

GROUP = "encoder.0.feed_forward"  # several numbers of this fast group can do it


async def wish(page: Page, word: str = "blanc", group: str = GROUP) -> None:
    page.view.line.value = group
    page.prediction.receive({"type": "wish", "row": page.row, "word": word})
    await page.settled()


def take(page: Page, row: int) -> None:
    rows = [*page.view.line.rows, {"path": "output.W_out", "i": 0, "j": 0}]
    place = {name: rows[row][name] for name in ("path", "i", "j")}
    page.view.line.receive({"type": "take", **place})


@on_page
async def test_all_numbers_that_can_do_it_are_listed_and_the_smallest_change_is_first(page):
    before = page.state.scenario
    await wish(page)
    line = page.view.line
    assert line.shown["wish"] == "Make it write “blanc” after “le chat”"
    assert line.count == "one"
    assert line.shown["tone"] == "granted"
    assert line.shown["presses"] == ["close"]
    moves = [abs(row["value"] - row["now"]) for row in line.rows]
    assert moves == sorted(moves)
    assert len(moves) > 5
    size = 8 * 16 + 16 + 16 * 8 + 8 + 8 + 8
    assert line.shown["cost"].startswith(
        f"{len(moves)} numbers can do it alone, moved by at most 4 up or down; all {size} were"
    )
    assert page.state.scenario == before
    assert page.state.before_experiment is None


@on_page
async def test_each_row_states_the_sentence_that_would_be_written(page):
    await wish(page)
    for k, row in enumerate(page.view.line.rows):
        assert row["sentence"][page.row] == "blanc"
        assert row["changed"][page.row]
        take(page, k)
        assert list(page.state.scenario.target[1:]) == row["sentence"]
    others = {tuple(row["sentence"]) for row in page.view.line.rows}
    assert len(others) > 1, "of some, more than the one word changes"


@on_page
async def test_a_press_sets_and_selects_a_number_and_one_undo_restores_it(page):
    before = page.state.scenario
    await wish(page)
    row = page.view.line.rows[2]
    take(page, 2)
    scenario = page.state.scenario
    assert len(scenario.edits) == 1
    assert list(scenario.edits.values()) == [row["value"]]
    assert page.state.selection == CellAddress(row["path"], row["i"], row["j"])
    assert page.view.line.taken == 2
    assert scenario.target[page.row + 1] == "blanc"
    page.state.undo()
    assert page.state.scenario == before
    assert page.view.line.visible, "the next may be taken"
    take(page, 0)
    take(page, 1)
    assert len(page.state.scenario.edits) == 1, "another one takes its place"


@on_page
async def test_the_list_stays_while_the_number_is_dragged_and_is_removed_by_another_edit(page):
    await wish(page)
    take(page, 0)
    row = page.view.line.rows[0]
    state = page.state
    for value in (row["now"], row["value"] * 1.5):
        state.change(state.scenario.with_value(row["path"], (row["i"], row["j"]), value))
        assert page.view.line.visible
        assert page.results.singles
    state.change(state.scenario.with_value("output.W_out", (0, 0), 1.0))
    assert not page.view.line.visible
    assert not page.results.singles
    assert len(state.scenario.edits) == 2, "what was taken stays"


@on_page
async def test_if_no_number_suffices_the_nearest_numbers_and_the_range_are_listed(page):
    await wish(page, "lapin", "encoder.0.self_attn")
    line = page.view.line
    assert line.shown["tone"] == "refused"
    assert line.shown["cost"].startswith(
        "No number does it alone, moved by at most 4 up or down; all "
    )
    assert "the logit of “lapin” is still " in line.shown["cost"]
    assert len(line.rows) == 1
    assert not page.results.singles


@on_page
async def test_a_stopped_search_reports_the_numbers_that_it_tried(page):
    before, single.PART = single.PART, 1 << 20
    try:
        page.view.line.value = GROUP
        page.prediction.receive({"type": "wish", "row": page.row, "word": "blanc"})
        while page.view._singles._found is None:
            await asyncio.sleep(0)
        assert page.view.line.shown["presses"] == ["stop", "close"]
        assert 0 < page.view.line.shown["share"] < 1
        page.press("stop")
        await page.settled()
        assert page.view.line.shown["cost"].startswith("Stopped after ")
        assert page.view.line.shown["presses"] == ["close"]
        assert page.view.line.visible
    finally:
        single.PART = before


@on_page
async def test_closing_the_list_or_a_new_wish_starts_again(page):
    await wish(page)
    take(page, 0)
    taken = page.state.scenario
    page.press("close")
    assert not page.view.line.visible
    assert not page.view.line.rows
    assert not page.results.singles
    assert page.state.scenario == taken
    take(page, 0)  # a late message of a browser
    assert page.state.scenario == taken
    await wish(page, "noir")
    assert page.view.line.rows
    assert page.view.line.taken == -1


@on_page
async def test_a_written_or_unknown_word_and_a_negative_position_start_no_search(page):
    await wish(page, "noir")
    assert page.state.notice == "It writes “noir” there already."
    assert not page.view.line.visible
    for row, word in ((page.row, "zebra"), (-1, "blanc"), (-100, "blanc")):
        page.prediction.receive({"type": "wish", "row": row, "word": word})
        assert not page.view.line.visible


@pytest.mark.parametrize(("count", "most"), [("three", 3), ("ten", 10), ("any", 2000)])
async def test_a_few_numbers_are_chosen_together_and_the_largest_change_is_first(count, most):
    page = Page()
    await wish(page)
    page.view.line.accept("value", "everything")
    await page.settled()
    page.view.line.accept("count", count)
    await page.settled()
    line, edits = page.view.line, page.state.scenario.edits
    assert line.shown["tone"] == "granted"
    assert 0 < len(edits) <= most
    assert len(line.rows) == min(len(edits), 200)
    moves = [abs(row["value"] - row["now"]) for row in line.rows]
    assert moves == sorted(moves, reverse=True)
    assert page.probability("blanc") == pytest.approx(0.5, abs=0.01)
    assert line.shown["presses"] == ["keep", "back"]
    take(page, 0)  # nothing to set, because the numbers have already moved
    assert page.state.scenario.edits == edits
    line.accept("count", "one")
    await page.settled()
    assert not page.state.scenario.edits, "the search is of the numbers as they were"
    assert line.shown["presses"] == ["close"]


@on_page
async def test_while_a_bar_is_dragged_a_single_number_is_not_offered(page):
    await wish(page)
    await page.pull("blanc", 0.3)
    assert [name for name, _ in page.view.line.counts] == ["three", "ten", "any"]
    assert page.view.line.count == "any"
    page.view.line.accept("count", "one")
    assert page.view.line.count == "any"
    assert not page.results.singles


async def test_a_locked_page_starts_no_search_and_sets_no_number():
    page = Page("lock")
    await wish(page)
    assert page.state.notice
    assert not page.view.line.visible


def test_the_search_runs_without_dropout():
    state = AppState()
    scenario = state.scenario.with_training(True)
    token = scenario.output_vocabulary.index("blanc")
    free = {"source.W_e": None}
    found = [*single_changes(ForwardPassRunner(), scenario, Likeliest(2, token), free)][-1]
    still = [*single_changes(ForwardPassRunner(), state.scenario, Likeliest(2, token), free)][-1]
    assert [one[:2] for one in found.state.found] == [one[:2] for one in still.state.found]
    assert found.written == still.written


# -- in the picture -------------------------------------------------------------------------------


def test_the_smaller_the_needed_change_of_a_number_the_stronger_its_mark():
    state = AppState()
    token = state.scenario.output_vocabulary.index("blanc")
    steps = single_changes(
        ForwardPassRunner(), state.scenario, Likeliest(2, token), {"source.W_e": None}
    )
    *_, end = steps
    marked = strengths(end.trace, end.state.found)
    table = marked["source.W_e"]
    assert table.max() == 1
    assert np.count_nonzero(table) == len(end.state.found)
    by_move = [table[one.cell] for one in end.state.found]
    assert by_move == sorted(by_move, reverse=True)
    # Rows of the sentence's words have the same marks, so that they are visible in the picture.
    marked = marks_in(end.trace, marked)
    np.testing.assert_array_equal(
        marked["source.embedding"], table[list(state.scenario.ids("source"))]
    )
    read = MatrixReader(state.shown, reached=marked).read
    flags = read("source.W_e").marks
    assert flags[end.state.found[0].cell] == REACHED | REACH_LEVELS << REACH_SHIFT


def test_marks_follow_the_words_that_a_listed_number_would_make_the_model_write():
    state = AppState()
    computed, table = "decoder.0.self_attn.q", "target.W_e"
    marks = {
        path: np.arange(state.trace[path].value.size).reshape(state.trace[path].value.shape)
        for path in (table, computed)
    }
    shorter = state.scenario.with_written(state.scenario.target[:3])
    marked = marks_in(state.runner.trace(shorter), marks)
    assert set(marked) == {table, "target.embedding"}
    rows = marks[table][list(shorter.ids("target"))]
    np.testing.assert_array_equal(marked["target.embedding"], rows)


async def test_the_board_marks_the_numbers_found_until_the_list_is_closed():
    page = Page()
    explore = ExploreView(page.state, results=page.results)
    board = explore.board.component
    assert not board.searched
    await wish(page)
    assert board.searched
    marks = explore.values.reader().read(f"{GROUP}.W_1").marks
    assert (marks & REACHED).any()
    page.press("close")
    assert not board.searched
    assert explore.values.reader().read(f"{GROUP}.W_1").marks is None


# -- a pull from Experiments, and in other models -------------------------------------------------


def test_a_search_from_experiments_is_for_the_chosen_word():
    asked = []
    state = AppState()
    PredictionView(state)
    view = ExperimentsView(state, Results(), asks=Asks(wish=lambda *what: asked.append(what)))
    view.show(True)
    (form,) = (each.form for each in view._sections if isinstance(each, AnswerSection))
    form.receive({"type": "change", "name": "word", "value": "blanc"})
    form.receive({"type": "change", "name": "write"})
    assert asked == [(state.position, "blanc")]


async def settled(view: PullView) -> None:
    while tasks := [*view._singles._search._tasks._tasks]:
        await asyncio.gather(*tasks)


def second_best(state: AppState, row: int) -> str:
    logits = state.trace["output.logits"].value[row]
    return state.scenario.output_vocabulary[int(np.argsort(logits)[-2])]


async def test_the_search_in_a_large_model_states_that_it_is_incomplete(monkeypatch):
    monkeypatch.setattr(single_changes_module, "WORK", 400 << 20)
    state = AppState(catalog.first("dates"))
    view = PullView(state)
    view.line.value = "everything"
    view.make_written(1, second_best(state, 1))
    shares = []
    view.line.param.watch(lambda event: shares.append(event.new.get("share")), "shown")
    await settled(view)
    found = view._singles._found.state
    assert 0 < found.tried < found.of == state.scenario.config.parameter_count()
    assert f"not all were tried, but the {found.tried:,} of " in view.line.shown["cost"]
    # The progress bar reaches its end.
    told = [share for share in shares if share is not None]
    assert told == sorted(told)
    assert max(told) > 0.5
    # Each listed number makes the model write the word in the sentence.
    for one in found.found[:3]:
        changed = state.scenario.with_value(one.path, one.cell, one.value)
        written = with_written_target(changed, ForwardPassRunner())
        assert written.target[2] == second_best(state, 1)


def test_rows_of_changed_numbers_have_both_values():
    scenario = AppState().scenario
    trace = ForwardPassRunner().trace(scenario)
    start = {"output.W_out": trace["output.W_out"].value}
    moved = start["output.W_out"].copy()
    moved[2, 5] += 0.5
    moved[1, 1] -= 2
    rows = rows_of_moved(scenario, trace, start, {"output.W_out": moved})
    assert [(row["i"], row["j"]) for row in rows] == [(1, 1), (2, 5)]
    assert rows[0]["value"] - rows[0]["now"] == pytest.approx(-2)
