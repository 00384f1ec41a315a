import pytest
from tinkerformer.board.view import ExploreView
from tinkerformer.explain import attend_only
from tinkerformer.features.prediction.view import PredictionView
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.right_text import verdict
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.resolved_cell import resolve
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session.state import AppState

PHRASES = catalog.first("phrases")
CELL = ("source.embedding", 1, 2)  # an embedding of “black”
TURNS = 9.5  # with this value, another word follows “chat”


class Page:
    def __init__(self) -> None:
        self.state = AppState()
        self.view = TokensView(self.state)
        self.bars = PredictionView(self.state)
        self.board = ExploreView(self.state).board.component
        self.say(type="ready")

    @property
    def target(self):
        return next(entry for entry in self.view.tokens.lists if entry["name"] == "target")

    @property
    def written(self):
        return self.view.tokens.written["target"]

    def say(self, **message) -> None:
        self.board.receive(message)

    def drag(self, *values: float, press: int = 1) -> None:
        path, i, j = CELL
        for value in values:
            self.say(type="set", path=path, i=i, j=j, value=value, press=press, held=True)


def written(value: float) -> tuple[str, ...]:
    path, i, j = CELL
    edited = PHRASES.with_value(path, (i, j), value)
    return with_written_target(edited, ForwardPassRunner()).target


def test_while_a_number_is_held_the_slots_stay_and_its_release_rewrites_the_sentence():
    page = Page()
    before = page.state.scenario.target
    assert len(written(TURNS)) < len(before)
    assert not page.target["moves"]
    page.drag(0.0, 5.0, TURNS)
    assert page.state.scenario.target == before
    assert page.target["tokens"] == list(before)
    assert page.target["moves"]
    assert page.written["end"] is not None
    # The bars are those of the row whose word changed.
    assert page.bars.prediction.value == before.index("noir") - 1
    page.say(type="release")
    assert page.state.scenario.target == written(TURNS)
    assert page.target["tokens"] == list(written(TURNS))
    assert not page.target["moves"]


def test_overridden_cells_that_make_words_wrong_are_named_and_can_be_restored():
    page = Page()
    assert page.target["restores"] == ""
    page.drag(TURNS)
    page.say(type="release")
    assert page.target["verdict"].startswith("✗ “")
    assert "noir" in page.target["verdict"]
    assert page.target["in_full"].startswith("✗ should be: le chat noir")
    assert page.target["restores"] == "Restore 1 number"
    silent = page.state.scenario.with_silence(Silence("encoder.0.self_attn.out"))
    page.state.change(silent)
    assert page.target["restores"] == "Restore 1 number and 1 silenced part"
    page.view.tokens.receive({"type": "restore", "name": "target"})
    assert page.state.scenario == PHRASES
    assert page.target["restores"] == ""


def test_restored_cells_are_named_in_the_words_with_which_they_were_chosen():
    page = Page()
    cross = "decoder.0.cross_attn.head.{}.weights"
    trace = page.state.trace
    for head in (0, 1):  # after this, the model writes other words
        weight = resolve(trace, CellAddress(cross.format(head), 2, 4))
        page.state.change(attend_only.only_at(page.state.scenario, weight, everywhere=False))
    assert page.target["restores"] == "Let it look everywhere again"
    page.state.change(page.state.scenario.with_value(cross.format(0), (2, 1), 0.5))
    assert page.target["restores"] == "Restore 14 numbers"
    page.view.tokens.receive({"type": "restore", "name": "target"})
    assert page.state.scenario == PHRASES
    page.state.change(PHRASES.with_silence(Silence("decoder.0.cross_attn.out")))
    assert page.target["restores"] == "Restore the silenced part"


@pytest.mark.parametrize(
    ("words", "finished", "said"),
    [
        ("le chat noir est assis sur le tapis", True, "✓ right"),
        ("le chat noir est assis sur le tapis", False, "✗ no end after “le chat noir est assis"),
        ("le chat blanc est assis sur le tapis", True, "✗ “blanc” should be “noir”"),
        ("le chat dort sur le tapis", True, "✗ “dort” should be “noir est assis”"),
        ("le chat noir est assis sur le", True, "✗ “tapis” is missing"),
        ("le chat noir noir est assis sur le tapis", True, "✗ “noir” is too much"),
        ("un deux trois quatre cinq", True, "✗ should be: le chat noir est assis sur le tapis"),
    ],
)
def test_the_verdict_names_the_wrong_words(words, finished, said):
    right = "le chat noir est assis sur le tapis"
    assert verdict(PHRASES, right, words.split(), finished).startswith(said)


def test_a_dragged_number_that_is_restored_leaves_the_sentence_unchanged():
    page = Page()
    path, i, j = CELL
    page.drag(TURNS)
    page.say(type="restore", path=path, i=i, j=j, press=1)
    assert not page.state.held
    page.say(type="release")
    assert page.state.scenario == PHRASES
    assert not page.target["moves"]


def test_another_change_during_a_drag_rewrites_the_sentence_at_once():
    page = Page()
    page.drag(TURNS)
    page.state.change(page.state.scenario.with_value("output.logits", (0, 0), 0.5))
    assert not page.state.held
    assert len(page.state.scenario.target) < len(PHRASES.target)
    page.say(type="release")
    assert len(page.state.history.past) == 2


def test_with_dropout_each_row_has_a_slot_and_the_end_token_too():
    page = Page()
    page.state.change(page.state.scenario.with_setting("dropout.embedding", 0.9))
    for _ in range(8):
        page.state.change(page.state.scenario.with_training(True).resampled())
        # The text is written without dropout, as at inference; the rows have dropout.
        assert page.state.scenario.target == PHRASES.target
        assert page.target["moves"]
        assert page.written["end"] is not None
        assert page.target["verdict"] == "✓ right"
    page.state.change(page.state.scenario.with_training(False))
    assert not page.target["moves"]
