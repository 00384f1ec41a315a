import numpy as np
import pytest
from tinkerformer.features.prediction.prediction import Prediction
from tinkerformer.features.prediction.view import PredictionView
from tinkerformer.files import catalog
from tinkerformer.model.inference.text import with_text
from tinkerformer.model.inference.written_words import moved_position
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.link import decode, encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.session.state import AppState


@pytest.fixture
def page():
    state = AppState(clock=Clock())
    view = PredictionView(state)
    return state, view


class Clock:
    """A clock that moves forward with each reading."""

    def __init__(self):
        self.now, self.step = 0.0, 2.0

    def __call__(self):
        self.now += self.step
        return self.now


def test_an_edit_sends_the_bars_of_before_only_once(page):
    state, view = page
    heard = []
    view.prediction.param.watch(
        lambda *events: heard.append({e.name for e in events}), ["before", "moves"]
    )
    state.change(state.scenario.with_value("output.W_out", (0, 3), 4.0), press=1, held=True)
    assert heard == [{"before", "moves"}]
    assert view.prediction.moves


def asked(view):
    return view.prediction.rows[view.prediction.value]


def written(view):
    return view.prediction.written[view.prediction.value]


def test_at_first_the_bars_are_after_the_last_word_before_the_end(page):
    state, view = page
    assert asked(view) == "after “sur le”"
    assert written(view) == "tapis"
    assert view.prediction.rows[:2] == ["after “<sos>”", "after “le”"]
    assert view.prediction.written[-2:] == ["tapis", "<eos>"]
    state.change(state.scenario.with_writing(False))
    assert view.prediction.written[-1] == ""  # the user typed this target, so no word follows


def test_the_followed_position_stays_the_same_during_a_run(page):
    """The word at the position changes, and for a while the text is too short for the position."""
    state, view = page
    learned = state.scenario
    state.go("followed", ["decoder", 2])
    assert (asked(view), written(view)) == ("after “le chat”", "noir")
    state.replace_weights(None, 0)  # an untrained model, as at the start of a run
    noise = state.scenario
    assert noise.target != learned.target
    assert (state.location.followed, view.prediction.value) == (("decoder", 2), 2)
    state.scenario = noise.with_written(noise.target[:1])
    assert (state.location.followed, view.prediction.value) == (("decoder", 0), 0)
    state.scenario = learned  # as at the end of the run, or on the timeline
    assert (state.location.followed, view.prediction.value) == (("decoder", 2), 2)
    assert written(view) == "noir"
    state.replace_weights(None, 0)
    state.go("followed", ["decoder", 1])  # the user follows another word
    state.replace_weights(learned.weights, 1000)
    assert state.location.followed == ("decoder", 1)


@pytest.mark.parametrize(
    ("now", "at"),
    [("a b c", 1), ("x a b c", 2), ("b c", 0), ("a d c", 1), ("a c", 0), ("c", 0), ("", 0)],
)
def test_a_position_moves_with_its_word(now, at):
    assert moved_position(("a", "b", "c"), now.split(), 1) == at


def test_for_a_typed_target_the_bars_are_after_its_last_word():
    state = AppState(Scenario())
    view = PredictionView(state)
    assert view.prediction.value == len(Scenario().target) - 1
    assert written(view) == ""


def test_a_bar_selects_its_probability(page):
    state, view = page
    view.prediction.receive({"type": "look", "row": 3, "word": "chat"})
    column = state.scenario.output_vocabulary.index("chat")
    assert state.selection == CellAddress(PROBABILITIES, 3, column)
    assert view.prediction.value == 3
    for row, word in ((99, "chat"), (True, "chat"), (2, "no such word"), (2, 5), (None, "chat")):
        view.prediction.receive({"type": "look", "row": row, "word": word})
        assert state.selection == CellAddress(PROBABILITIES, 3, column)


def test_a_further_move_of_an_edit_sends_only_what_differs(page):
    state, view = page

    def move(value):
        state.change(state.scenario.with_value("source.W_e", (0, 0), value), "cell", 1, held=True)

    move(0.1)
    heard = []
    names = list(Prediction.property_names())
    view.prediction.param.watch(lambda *events: heard.extend(events), names)
    move(0.2)
    assert heard == []


SIX_DIGITS = 1e-5  # of probabilities before the edit, which are rounded


def shown_before(view):
    return dict(view.prediction.before)


def at_rest(state, view):
    """Return the probabilities before the edit of the shown row, by word."""
    numbers = state.trace[PROBABILITIES].value[view.prediction.value]
    return dict(zip(state.scenario.output_vocabulary, map(float, numbers), strict=True))


def test_at_every_training_step_bars_are_compared_with_those_before_the_run(page):
    state, view = page
    first = at_rest(state, view)
    moments = [other_weights(state.scenario, seed) for seed in range(3)]
    state.learning = True
    for step, weights in enumerate(moments):
        state.replace_weights(weights, step + 1)
    state.learning = False
    state.replace_weights(moments[-1], 4)  # the end of the run, after which the model writes again
    for step in (1, 0, 2):  # each after seconds
        state.replace_weights(moments[step], step + 1)
        assert shown_before(view) == pytest.approx(first, rel=SIX_DIGITS)
        assert not any(state.view_model.sentence.changed)


def other_weights(scenario, seed):
    generator = np.random.default_rng(seed)
    arrays = {
        path: array + 0.01 * generator.normal(size=array.shape).astype(np.float32)
        for path, array in scenario.weights.arrays.items()
    }
    known = scenario.weights
    return Weights(arrays, known.source_vocabulary, known.target_vocabulary)


def test_undo_of_a_training_run_marks_no_word_as_new(page):
    state, _ = page
    state.change(state.scenario.trained(None, 0))
    state.learning = True
    state.replace_weights(other_weights(catalog.first("phrases"), 1), 1)
    state.undo()
    assert state.scenario.target == catalog.first("phrases").target
    assert not any(state.view_model.sentence.changed)


def test_the_bars_of_a_new_text_are_not_compared_with_the_text_before(page):
    state, view = page
    state.change(state.scenario.with_value("source.W_e", (1, 2), 1.0))
    assert shown_before(view)
    state.change(with_text(state.scenario, "a small dog runs"))
    assert shown_before(view) == {}


def test_links_contain_the_position_only_if_the_user_chose_it(page):
    state, view = page
    assert state.snapshots.take().place.asked is None
    view.prediction.accept("value", 2)
    assert state.snapshots.take().place.asked == 2
    other = AppState()
    opened = PredictionView(other).prediction
    assert opened.value != 2
    other.snapshots.restore(decode(encode(state.snapshots.take())))
    assert opened.value == 2
    other.snapshots.restore(SavedSession(other.scenario))
    assert other.location.asked is None
    assert opened.value != 2
