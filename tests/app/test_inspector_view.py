import numpy as np
import pytest
from tinkerformer.explain.changes import last_change
from tinkerformer.features.inspector.view import InspectorView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.model.matrices.oscillation import Oscillation
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

STORED = "encoder.0.self_attn.weights"
WEIGHTS = "encoder.0.self_attn.head.1.weights"
PLAIN = str.maketrans("", "", "\u2068\u2069")


def told(state: AppState) -> str:
    changed = last_change(state.current.last_edit.before, state.scenario, ForwardPassRunner())
    return f"{changed.cause}: {changed.effect}"


class Page:
    """An inspector with its own state."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.view = InspectorView(self.state)

    def select(self, path: str, i: int, j: int) -> None:
        self.state.selection = CellAddress(path, i, j)

    def ask(self, kind: str, **more: object) -> None:
        self.view.inspector.receive({"type": kind, **more})

    @property
    def details(self):
        return self.view.inspector.details

    @property
    def answer(self) -> tuple[int, int]:
        return self.view.inspector.curve["row"], self.view.inspector.curve["column"]

    @property
    def row(self) -> list[float]:
        return self.state.trace[WEIGHTS].value[2].tolist()


@pytest.fixture
def page() -> Page:
    return Page(AppState(Scenario()))


def test_attending_only_here_is_one_step_and_can_be_reverted_for_its_row_alone(page):
    before = page.row
    page.state.change(page.state.scenario.with_value(WEIGHTS, (0, 0), 0.25))
    page.select(WEIGHTS, 2, 1)
    assert page.details["looks"]
    assert not page.details["row_edited"]
    steps = len(page.state.history.past)
    page.ask("look_only", everywhere=False)
    assert page.row == [float(k == 1) for k in range(len(before))]
    assert len(page.state.history.past) == steps + 1
    assert "In head 2 of the encoder’s self-attention “" in told(page.state)
    assert "; head 1 looks as before: " in told(page.state)
    assert page.details["row_edited"]
    assert not page.details["renormalizes"]  # its sum is already 1
    page.ask("release_row", everywhere=False)
    assert page.row == before
    assert page.state.trace[WEIGHTS].value[0, 0] == 0.25
    assert not page.details["row_edited"]


def test_attending_only_here_is_one_step_in_every_head_and_can_be_reverted(page):
    before = page.state.scenario
    page.select(WEIGHTS, 2, 1)
    assert page.details["heads"] == before.settings.heads > 1
    steps = len(page.state.history.past)
    page.ask("look_only", everywhere=True)
    rows = page.state.trace[STORED].value[:, 2]
    assert (rows == [float(k == 1) for k in range(rows.shape[1])]).all()
    assert len(page.state.history.past) == steps + 1
    assert told(page.state).startswith("In every head of the encoder’s self-attention “")
    assert page.details["row_edited_elsewhere"]
    after = page.state.scenario
    page.state.undo()
    assert page.state.scenario == before
    page.state.redo()
    assert page.state.scenario == after
    page.ask("release_row", everywhere=True)
    assert not page.state.scenario.edits
    assert not page.details["row_edited_elsewhere"]


@pytest.mark.parametrize(
    ("heads", "layers", "path", "said"),
    [
        (1, 1, "decoder.0.cross_attn.head.0.weights", "In cross-attention “"),
        (2, 1, "decoder.0.self_attn.head.0.weights", "In head 1 of the decoder’s self"),
        (4, 2, "decoder.1.cross_attn.head.2.weights", "In head 3 of cross-attention in decoder "),
    ],
)  # fmt: skip
def test_the_sentence_names_the_head_and_says_that_others_are_unchanged(heads, layers, path, said):
    scenario = Scenario().with_setting("heads", heads).with_setting("decoder_layers", layers)
    page = Page(AppState(scenario))
    page.select(path, 0, 0)
    page.ask("look_only", everywhere=False)
    assert told(page.state).startswith(said)
    rest = {1: "”: ", 2: "; head 2 looks as before: ", 4: "; the other heads look as before: "}
    assert rest[heads] in told(page.state)


def test_the_effect_of_attending_only_here_is_stated():
    state = AppState(catalog.first("phrases"))
    page = Page(state)
    before = state.scenario.target
    row = state.scenario.target.index("noir") - 1
    page.select("decoder.0.cross_attn.head.1.weights", row, state.scenario.source.index("the"))
    page.ask("look_only", everywhere=True)
    assert state.scenario.target != before
    gone = next(word for word in before if word not in state.scenario.target)
    assert gone in told(state).partition(": ")[2]
    state.change(catalog.first("phrases"))
    page.select("decoder.0.cross_attn.head.1.weights", row, state.scenario.source.index("black"))
    page.ask("look_only", everywhere=False)
    assert told(state).endswith("It writes the same words.")  # the head already attends only here
    state.change(catalog.first("phrases"))
    page.select("encoder.0.self_attn.head.0.weights", 5, 1)
    was = state.trace[PROBABILITIES].value
    page.ask("look_only", everywhere=False)
    assert state.scenario.target == before
    now = state.trace[PROBABILITIES].value
    at = np.unravel_index(np.abs(now - was).argmax(), was.shape)
    word = state.scenario.output_vocabulary[int(at[1])]
    first, second = (f"{p[at]:.2f}".removeprefix("0") for p in (was, now))
    assert (
        told(state)
        .translate(PLAIN)
        .endswith(f"It writes the same words; “{word}” {first} → {second} changes most.")
    )


def test_the_inspector_offers_to_write_every_word_but_the_likeliest(page):
    words = page.state.scenario.output_vocabulary
    best = int(page.state.trace[PROBABILITIES].value[2].argmax())
    for column, word in enumerate(words):
        page.select(PROBABILITIES, 2, column)
        assert page.details.get("word") == (None if column == best else word)
    page.select("source.W_e", 0, 0)
    assert "word" not in page.details


@pytest.mark.parametrize("path", ["source.W_e", "output.probabilities", "encoder.0.self_attn.W_o"])
def test_attending_only_here_is_possible_only_for_attention_weights(page, path):
    page.select(path, 1, 1)
    assert "looks" not in page.details
    scenario = page.state.scenario
    page.ask("look_only", everywhere=False)
    page.ask("release_row", everywhere=False)
    assert page.state.scenario is scenario


def test_the_curve_covers_the_slider_s_range_and_contains_the_present_number(page):
    page.select("source.W_e", 1, 3)
    page.view.inspector.watched = [0, 2]
    curve = page.view.inspector.curve
    assert (curve["low"], curve["high"]) == (page.details["low"], page.details["high"])
    assert (curve["row"], curve["column"]) == (0, 2)
    # At the present value, the curve has the present probability.
    now = page.state.trace["source.W_e"].value[1, 3]
    settings = np.linspace(curve["low"], curve["high"], len(curve["probabilities"]))
    expected = page.state.trace["output.probabilities"].value[0, 2]
    assert np.interp(now, settings, curve["probabilities"]) == pytest.approx(expected, abs=1e-3)


def test_slider_and_curve_and_words_cover_the_whole_oscillation():
    page = Page(AppState())
    state = page.state
    state.change(state.scenario.with_value("source.embedding", (1, 2), -4.89))
    page.select("source.embedding", 1, 2)
    ends = lambda part: (part["low"], part["high"])  # noqa: E731
    assert ends(page.details) == (-5, 5)
    state.oscillation = Oscillation(2.0, 2.0, on=True)
    inspector = page.view.inspector
    assert ends(page.details) == ends(inspector.curve) == ends(inspector.words) == (-10, 10)
    state.oscillation = Oscillation(2.0, 2.0, on=False)
    assert ends(page.details) == ends(inspector.curve) == ends(inspector.words) == (-5, 5)


def test_the_curve_shows_the_probability_on_which_the_number_has_the_largest_effect():
    page = Page(AppState())  # in this model, a source word affects its translation
    row = page.state.scenario.vocabulary.row("source", "black")
    page.select("source.W_e", row, 3)
    scenario, trace = page.state.scenario, page.state.trace
    right = scenario.target.index("noir") - 1, scenario.output_vocabulary.index("noir")
    assert page.answer == right

    def varies(position):
        page.view.inspector.watched = [position, scenario.labels()[position]]
        now = trace["output.probabilities"].value[page.answer]
        return np.abs(np.array(page.view.inspector.curve["probabilities"]) - now).mean()

    assert max(scenario.asked, key=varies) == right[0]


def test_for_another_source_the_shown_probability_is_chosen_again():
    page = Page(AppState())
    state = page.state
    page.select("source.embedding", 1, 2)
    noir = state.scenario.output_vocabulary.index("noir")
    assert page.answer[1] == noir
    page.view.inspector.watched = [*page.answer]
    words = ["the", "small", "dog", "sat", "in", "the", "car"]
    state.change(state.scenario.with_tokens("source", words))
    page.select("source.embedding", 1, 2)
    row, word = page.answer
    assert state.scenario.output_vocabulary[word] == state.scenario.target[row + 1]
    assert word != noir


def test_the_shown_probability_stays_while_its_number_is_moved_and_ends_with_it():
    page = Page(AppState())
    row = page.state.scenario.vocabulary.row("source", "black")
    page.select("source.W_e", row, 3)
    first, written = page.answer, page.state.scenario.target
    for value in (page.details["low"], page.details["high"]):
        moved = page.state.scenario.with_value("source.W_e", (row, 3), value)
        page.state.change(moved, "drag", press=1, held=True)
        assert page.answer == first == page.state.answer
    page.state.release()
    assert page.state.scenario.target != written
    page.state.undo()
    assert page.answer == first
    for turned in (0, first[0]):  # the page turns to another row
        page.state.go("asked", turned)
        assert page.answer[0] == page.state.position == turned
    page.view.inspector.watched = [0, 2]
    page.view.inspector.value = 0.5
    assert page.answer == page.state.answer == (0, 2)
    page.select("source.W_e", row, 2)  # several numbers are compared for the same probability
    assert page.view.inspector.watched == [0, 2]
    assert page.answer == (0, 2)
    page.state.selection = None
    assert page.state.answer is None
    page.select("source.W_e", row, 2)
    assert page.view.inspector.watched == [-1, -1]


def test_an_overridden_probability_is_explained_and_its_row_can_be_made_to_sum_to_1(page):
    column = 4
    page.select(PROBABILITIES, 2, column)
    page.view.inspector.value = 0.8
    assert "logits" in page.details["note"]
    assert page.details["renormalizes"]
    page.view.inspector.receive({"type": "renormalize"})
    row = page.state.trace[PROBABILITIES].value[2]
    assert row.sum() == pytest.approx(1, abs=1e-4)
    assert row[column] == pytest.approx(0.8, abs=1e-4)
    assert not page.details["renormalizes"]


def test_a_cell_of_a_matrix_that_had_a_different_size_has_no_number_of_the_baseline(page):
    state = page.state
    state.baseline = state.scenario
    page.select("encoder.0.feed_forward.W_1", 2, 3)
    assert page.details["pinned"] == state.trace["encoder.0.feed_forward.W_1"].value[2, 3]
    settings = state.scenario.settings
    state.change(state.scenario.with_settings(settings.replace(d_ff=20)))
    assert page.details.get("pinned") is None
    page.select("encoder.0.self_attn.W_o", 2, 3)
    assert page.details["pinned"] is not None


@pytest.mark.parametrize(
    ("cell", "offered"),
    [
        (("decoder.0.cross_attn.head.1.W_q", 0, 0), ["sublayer", "head"]),
        (("decoder.0.cross_attn.head.1.weights", 0, 0), ["sublayer", "head"]),
        (("decoder.0.cross_attn.head.1.context", 0, 0), ["sublayer", "head", "row"]),
        (("decoder.0.cross_attn.concat", 0, 5), ["sublayer", "head", "row"]),
        (("decoder.0.cross_attn.W_o", 5, 0), ["sublayer", "head"]),
        (("decoder.0.cross_attn.gamma", 0, 0), ["sublayer"]),
        (("encoder.0.feed_forward.W_1", 2, 7), ["sublayer", "unit"]),
        (("encoder.0.feed_forward.b_1", 0, 7), ["sublayer", "unit"]),
        (("encoder.0.feed_forward.W_2", 7, 2), ["sublayer", "unit"]),
        (("encoder.0.feed_forward.hidden", 2, 7), ["sublayer", "unit", "row"]),
        (("encoder.0.feed_forward.norm", 2, 7), ["sublayer", "row"]),
        (("source.embedding", 2, 7), ["row"]),
        (("source.W_e", 2, 7), []),
        (("output.logits", 1, 1), []),
    ],
)
def test_the_part_of_the_selected_number_can_be_silenced_and_released(page, cell, offered):
    page.select(*cell)
    assert [choice["name"] for choice in page.details["silence"]] == offered
    before = page.state.scenario
    for name in offered:
        page.ask("silence", name=name, to="zero")
        (silence,) = page.state.scenario.silences
        found = page.state.trace[silence.path].value
        quiet = found if silence.row is None else found[silence.row]
        assert not (quiet if silence.column is None else quiet[:, silence.column]).any()
        if name == "unit":
            assert silence.column == 7
        if name == "head":
            assert silence.path == "decoder.0.cross_attn.head.1.context"
        page.ask("silence", name=name, to="mean")
        assert [each.to for each in page.state.scenario.silences] == ["mean"]
        assert {c["name"]: c["to"] for c in page.details["silence"]}[name] == "mean"
        page.ask("silence", name=name, to=None)
        assert page.state.scenario == before


def test_a_silenced_cell_states_so_and_its_computed_number(page):
    path = "encoder.0.self_attn.out"
    page.select(path, 1, 2)
    computed = float(page.state.trace[path].value[1, 2])
    page.ask("silence", name="sublayer", to="zero")
    assert page.details["silenced"] == "Silenced: set to 0."
    assert page.details["original"] == pytest.approx(computed)
    page.ask("silence", name="sublayer", to="mean")
    assert page.details["silenced"] == "Silenced: set to its mean over the tokens of this text."
    page.state.change(page.state.scenario.with_value(path, (1, 2), 3))
    assert "silenced" not in page.details
    assert page.details["edited"]


def test_a_trained_model_states_the_pairs_of_the_mean():
    page = Page(AppState())
    page.select("encoder.0.self_attn.out", 1, 2)
    page.ask("silence", name="sublayer", to="mean")
    assert page.details["silenced"] == "Silenced: set to its mean over 200 unseen phrases."


@pytest.mark.parametrize("asked", [{"name": "head", "to": "zero"}, {"name": "row", "to": "one"},
                                   {"name": ["row"], "to": "zero"}, {"to": "zero"}])  # fmt: skip
def test_a_missing_part_cannot_be_silenced(page, asked):
    page.select("source.embedding", 0, 0)
    page.ask("silence", **asked)
    assert not page.state.scenario.silences


def test_the_inspector_states_an_oscillation_that_another_view_started():
    page = Page(AppState())
    assert page.view.inspector.swing == []
    page.select("source.W_e", 0, 0)
    page.state.oscillation = page.state.oscillation._replace(on=True, amplitude=3, period=5)
    assert page.view.inspector.swing == [3.0, 5.0]
    page.state.oscillation = page.state.oscillation._replace(on=False)
    assert page.view.inspector.swing == []
