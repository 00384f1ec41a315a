from unittest import mock

import pytest
from tinkerformer.board.board import Board
from tinkerformer.explain.changes import last_change
from tinkerformer.explain.opening_row import opening_word
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.other_text import is_other_text
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.shell import create_page
from tinkerformer.view_model.focus import Followed, moved

FIRST = catalog.first("phrases")
WORDS = FIRST.source
OTHER = ("a", "small", "dog", "sleeps", "under", "my", "bed")


def reads(*words: str):
    return FIRST.with_tokens("source", list(words))


@pytest.mark.parametrize(
    ("words", "is_other"),
    [
        (OTHER, True),
        (("a", "dog"), True),
        (WORDS, False),
        (WORDS[:3], False),
        (("the", "white", *WORDS[2:]), False),
        ((*WORDS, "and", "the", "dog", "sleeps", "under", "the", "bed"), False),
    ],
)
def test_a_text_counts_as_another_one_if_most_words_differ(words, is_other):
    assert is_other_text(FIRST, reads(*words)) is is_other
    assert is_other_text(reads(*words), FIRST) is is_other


def test_another_model_or_kind_of_model_does_not_count_as_another_text():
    assert not is_other_text(FIRST, catalog.first("dates"))
    sandbox = Scenario()
    alone = sandbox.with_setting("encoder_layers", 0)
    assert not is_other_text(sandbox, alone)
    assert not is_other_text(alone, sandbox)


@pytest.mark.parametrize("before", [("the",), ("the", "cat")])
def test_a_text_with_one_other_word_does_not_count_as_another_text(before):
    assert not is_other_text(reads(*before), reads("dog", *before[1:]))


def test_only_another_text_resets_the_board(page):
    state = page.state
    with mock.patch.object(Board, "begin_step") as begun:
        state.change(state.scenario.with_tokens("source", list(OTHER)))
        assert mock.call(fresh=True) in begun.mock_calls
        begun.reset_mock()
        state.change(state.scenario.with_value("source.W_e", (0, 0), 2.0))
        state.undo()
        state.change(state.scenario.with_tokens("source", ["the", *OTHER[1:]]))
        assert begun.mock_calls
        assert mock.call(fresh=True) not in begun.mock_calls


@pytest.fixture
def page():
    found = create_page()
    found.state.location = found.state.location._replace(followed=Followed("decoder", 2))
    return found


def test_the_most_telling_word_of_the_new_text_is_in_focus_and_the_bars_are_its(page):
    state = page.state
    (bars,) = page.regions["next"]
    for words in (OTHER, ("the", "white", "mouse", "runs"), WORDS):
        state.change(state.scenario.with_tokens("source", list(words)))
        word = opening_word(state.scenario, state.trace)
        assert word is not None
        assert state.location.followed == Followed(*word)
        assert bars.value == state.location.followed.position
    state.undo()
    state.undo()
    state.undo()
    assert state.location.followed == Followed("decoder", 2)
    assert state.scenario.source == WORDS


def test_a_selected_number_keeps_the_focus(page):
    state = page.state
    state.follow(None)
    state.selection = CellAddress("encoder.0.self_attn.head.0.W_q", 0, 0)
    state.change(state.scenario.with_tokens("source", list(OTHER)))
    assert state.location.followed is None


def test_no_change_is_stated_or_marked_after_a_new_text(page):
    runner = ForwardPassRunner()
    assert last_change(FIRST, reads("the", "white", *WORDS[2:]), runner)
    assert last_change(FIRST, reads(*OTHER), runner) is None
    state = page.state
    (sentence,) = page.regions["sentence"]
    state.change(state.scenario.with_tokens("source", list(OTHER)))
    assert not any(sentence.written["target"]["changed"])
    state.change(state.scenario.with_tokens("source", ["a", "big", *OTHER[2:]]))
    assert any(sentence.written["target"]["changed"])


def test_a_change_of_dropout_is_not_traced_in_the_picture():
    runner = ForwardPassRunner()
    told = last_change(FIRST, FIRST.with_training(True), runner)
    assert told
    assert told.effect
    assert not told.is_traced
    moved = last_change(FIRST, FIRST.with_value("source.W_e", (0, 0), 3.0), runner)
    assert moved
    assert moved.is_traced


def test_opening_the_experiments_hides_the_effect_of_the_last_change(page):
    state, board = page.state, page.regions["main"][0]
    state.change(state.scenario.with_tokens("source", ["the", "white", *WORDS[2:]]))
    assert board.changed
    state.go("drawer", "measure")
    assert not board.changed


def test_in_views_without_words_the_followed_word_is_followed_by_its_position(page):
    state = page.state
    state.location = state.location.changed("form", "formulas")
    before, location = state.scenario, state.location
    state.change(state.scenario.with_tokens("source", ["the", "white", "mouse", "runs"]))
    assert is_other_text(before, state.scenario)
    followed = moved(location.followed, before, state.scenario)
    assert state.location == location._replace(followed=followed)


def test_the_position_in_a_link_is_shown_with_its_text(page):
    there = create_page().state
    there.change(there.scenario.with_tokens("source", list(OTHER)))
    there.location = there.location._replace(followed=None, asked=4)
    page.state.snapshots.restore(there.snapshots.take())
    (bars,) = page.regions["next"]
    assert page.state.location.asked == bars.value == 4
