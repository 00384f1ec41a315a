from tinkerformer.features.measure.answer import AnswerSection
from tinkerformer.features.measure.view import ExperimentsView
from tinkerformer.files import catalog
from tinkerformer.model.matrices.address import PROBABILITIES
from tinkerformer.session.results import Results
from tinkerformer.session.state import AppState


def test_sections_are_created_when_the_view_is_first_opened():
    view = ExperimentsView(AppState(), Results())
    assert not view.column.visible
    assert not view.column.objects
    view.show(True)
    assert view.column.visible
    assert len(view.column.objects) > 1
    made = view.column.objects
    view.show(False)
    view.show(True)
    assert view.column.objects == made


def test_any_word_can_be_pulled_even_one_without_a_bar():
    state, asked = AppState(), []
    section = AnswerSection(state, lambda *pull: asked.append(pull), lambda *_: None)
    section.show(True)
    state.go("asked", 2)
    word, *_ = section.form.fields
    assert word["label"] == "after “le chat”"
    names = [name for name, _ in word["options"]]
    assert set(names) == set(state.scenario.output_vocabulary)
    shares = state.trace[PROBABILITIES].value[2]
    assert names[0] == state.scenario.output_vocabulary[int(shares.argmax())]
    section.form.receive({"type": "change", "name": "word", "value": "blanc"})
    section.form.receive({"type": "change", "name": "to", "value": 0.7})
    section.form.receive({"type": "change", "name": "pull"})
    assert asked == [(2, "blanc", 0.7)]
    section.form.receive({"type": "change", "name": "to", "value": 7})
    assert "from 0.01 to 0.99" in section.form.errors["to"]
    section.form.receive({"type": "change", "name": "pull"})
    assert asked[1:] == [(2, "blanc", 0.7)]


def test_a_position_without_a_next_word_is_named_by_its_token():
    state = AppState(catalog.first("blanks"))
    section = AnswerSection(state, lambda *_: None, lambda *_: None)
    section.show(True)
    label = section.form.fields[0]["label"]
    assert label.startswith(f"at “{state.scenario.source[state.position]}”")


def test_the_offered_words_have_their_probabilities_during_an_experiment():
    state = AppState()
    section = AnswerSection(state, lambda *_: None, lambda *_: None)
    section.show(True)
    before = section.form.fields[0]["options"]
    edited = state.scenario.with_value("output.W_out", (0, 3), 5.0)
    state.experiment.show(edited, state.scenario)
    now = section.form.fields[0]["options"]
    assert now != before
    words, shares = state.scenario.output_vocabulary, state.trace[PROBABILITIES].value
    for word, label in now:
        assert label.endswith(f"  {shares[state.position, words.index(word)]:.3f}")


def test_each_section_states_the_question_that_it_answers():
    view = ExperimentsView(AppState(), Results())
    view.show(True)
    for column in view.column.objects:
        assert column.objects[0].object.startswith("<h2>")
        assert "?" in column.objects[-1].object  # below its controls
