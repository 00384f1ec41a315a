import dataclasses
import json

import numpy as np
import pytest
from tinkerformer.explain import changes, descent, right_words
from tinkerformer.features.plane.view import PlaneView
from tinkerformer.files import catalog
from tinkerformer.model.inference.descent import TOO_LARGE, after_steps, can_step, stepped
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import likeliest, with_written_target
from tinkerformer.model.scenario.model_names import (
    BLANKS,
    NAMES,
    NEXT_WORD,
    PAPER,
    PHRASES,
    SANDBOX,
)
from tinkerformer.session import link
from tinkerformer.session.results import Results
from tinkerformer.session.session_json import SavedSession, from_json, to_json
from tinkerformer.session.state import AppState

from transformer_math import Labels, Transformer
from transformer_math.decoding import Decoding, greedy_decode
from transformer_math.graph.backward import LOSS

SMALL = [name for name in NAMES if can_step(catalog.first(name))]
PATH = "decoder.0.cross_attn.W_o"


def loss(scenario):
    return ForwardPassRunner().trace(scenario)[LOSS].value.item()


def at_rate(scenario, rate):
    return scenario.with_descent(scenario.descent.replace(learning_rate=rate))


def step(scenario):
    return stepped(scenario, ForwardPassRunner())


@pytest.mark.parametrize("name", SMALL)
def test_steps_at_the_declared_rate_lower_the_loss(name):
    runner, scenario = ForwardPassRunner(), catalog.first(name)
    first = loss(scenario)
    for _ in range(8):
        scenario = with_written_target(stepped(scenario, runner), runner)
    assert loss(scenario) < first


def test_steps_do_not_change_numbers_set_by_hand():
    scenario = at_rate(catalog.first(PHRASES).with_value(PATH, (0, 0), 2.0), 1.0)
    now = step(scenario)
    runner = ForwardPassRunner()
    assert now.edits == scenario.edits
    assert runner.trace(now)[PATH].value[0, 0] == 2.0
    assert now.weights.arrays[PATH][0, 0] == scenario.weights.arrays[PATH][0, 0]
    assert now.weights.arrays[PATH][0, 1] != scenario.weights.arrays[PATH][0, 1]


def test_steps_do_not_change_the_vocabulary_of_a_model():
    scenario = catalog.first(PHRASES)
    scenario = scenario.with_tokens("source", ["the", "zebra", "sat"])
    now = step(scenario)
    assert now.weights.source_vocabulary == scenario.own_vocabulary.source
    assert not now.weights.mismatches(now.learned_config)
    assert now.weights.arrays["source.W_e"].shape[0] == len(scenario.own_vocabulary.source)


@pytest.mark.parametrize("name", SMALL)
def test_links_and_tabs_keep_the_result_of_the_steps(name):
    runner = ForwardPassRunner()
    scenario = step(at_rate(catalog.first(name), 0.02))
    scenario = with_written_target(step(scenario), runner)
    for again in (
        from_json(to_json(SavedSession(scenario), with_weights=True)).scenario,
        link.decode(link.encode(SavedSession(scenario))).scenario,
    ):
        assert with_written_target(again, runner) == scenario


def test_steps_without_their_weights_are_not_opened():
    data = json.loads(to_json(SavedSession(step(catalog.first(PHRASES)))))
    del data["weights"]
    with pytest.raises(ValueError, match="gradient steps"):
        from_json(json.dumps(data))


def test_training_and_new_weights_restart_the_count_of_steps():
    scenario = step(catalog.first(PHRASES))
    assert scenario.trained(scenario.weights, 3).descents == 0
    assert scenario.with_weights(scenario.weights).descents == 0
    assert scenario.with_setting("d_ff", 24).descents == 0


def test_a_large_model_takes_no_step():
    assert not can_step(catalog.first(PAPER))
    with pytest.raises(ValueError, match=TOO_LARGE[:20]):
        stepped(catalog.first(PAPER), ForwardPassRunner())


# -- on the page -----------------------------------------------------------------------------------


def page(name=PHRASES):
    state = AppState(catalog.first(name).with_view("plane", "gradient"))
    return state, PlaneView(state, Results()).line


def test_steps_can_be_described_and_undone_one_by_one():
    state, line = page(NEXT_WORD)
    first = state.scenario
    assert line.rate["value"] == first.descent.learning_rate
    assert line.stepped == []
    losses = [loss(first)]
    for _ in range(3):
        line.hear({"type": "step", "count": 1})
        losses.append(loss(state.scenario))
        said = line.stepped[0].removeprefix("loss ").split(" → ")
        assert [float(x) for x in said] == pytest.approx(losses[-2:], abs=0.0051)
        assert "→" in line.stepped[1]
    assert losses == sorted(losses, reverse=True)
    for _ in range(3):
        line.hear({"type": "undo"})
    assert state.scenario == first
    assert line.stepped == []


def test_a_typed_learning_rate_is_checked():
    state, line = page()
    line.hear({"type": "rate", "value": "0,5"})
    assert state.scenario.descent.learning_rate == 0.5
    line.hear({"type": "rate", "value": "11"})
    assert "learning rate" in line.problem
    assert state.scenario.descent.learning_rate == 0.5
    line.hear({"type": "rate", "value": "0.2"})
    assert line.problem == ""


def test_locked_pages_large_models_and_the_forward_pass_offer_no_step():
    state, line = page()
    state.change(state.scenario.with_view("plane", "change"))
    assert line.rate is None
    assert page(PAPER)[1].rate is None
    state, line = page()
    state.address = state.address._replace(lock="all")
    state.param.trigger("scenario")
    assert line.rate is None


def test_the_stated_loss_is_the_loss_before_the_step_on_the_same_text():
    runner = ForwardPassRunner()
    scenario = at_rate(catalog.first(SANDBOX), 0.05)
    now = stepped(scenario, runner)
    other = dataclasses.replace(now, target=(*now.target, now.target[-1]))
    said = descent.loss_words(scenario, now, runner)
    assert said == descent.loss_words(scenario, other, runner)
    assert "a step of gradient descent, learning rate 0.05" in changes.changes(
        scenario, now, runner
    )


def test_the_followed_word_is_named_even_if_its_probability_hardly_changes():
    runner = ForwardPassRunner()
    scenario = catalog.first("phrases")
    now = stepped(scenario, runner)
    row = scenario.target.index("noir") - 1
    column = scenario.output_vocabulary.index("noir")
    was, moved = (
        runner.trace(each)["output.probabilities"].value[row, column] for each in (scenario, now)
    )
    said = descent.word_words(scenario, now, row, runner)
    assert "noir" in said
    assert said.endswith(f"{was:.3f} → {moved:.3f}".replace("0.", "."))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_with_label_smoothing_the_lowest_possible_loss_is_stated(smoothing):
    runner = ForwardPassRunner()
    first = catalog.first(SANDBOX)
    scenario = first.with_settings(first.settings.replace(label_smoothing=smoothing))
    said = descent.loss_words(scenario, stepped(scenario, runner), runner)
    size = len(scenario.output_vocabulary)
    share = [1 - smoothing, *[smoothing / (size - 1)] * (size - 1)]
    least = -sum(t * np.log(t) for t in share if t)
    assert said.endswith(f"(never below {least:.2f})") == bool(smoothing)


# -- teaching a word ------------------------------------------------------------------------------

MANY = 10
CHAT, NOIR = 1, 2  # the positions that predict “chat” and “noir”
TAUGHT = [  # (position, word, maximum number of steps at the declared rate)
    (NOIR, "blanc", 5),
    (NOIR, "blanche", 20),
    (NOIR, "petit", 20),
    (NOIR, "tapis", 40),
    (CHAT, "chien", 10),
    (7, "lit", 5),
    (7, "<eos>", 20),
]


def written():
    return with_written_target(catalog.first(PHRASES), ForwardPassRunner())


def test_ten_steps_at_once_equal_ten_single_steps_of_transformer_math():
    """Compare with passes of ``transformer_math`` alone, without the page's runner."""
    scenario = written().with_label(NOIR, "blanche")
    now = after_steps(scenario, ForwardPassRunner(), MANY)
    assert now.descents == MANY
    single = scenario
    for _ in range(MANY):
        single = step(single)
    parameters = dict(ForwardPassRunner().model(scenario).parameters)
    ids = np.array(scenario.ids("source")), np.array(scenario.ids("target"))
    right = Labels(np.array(scenario.labels()), scenario.settings.label_smoothing)
    for _ in range(MANY):
        model = Transformer(scenario.config, parameters)
        gradients = model(*ids, labels=right).backward()
        for path, value in parameters.items():
            slope = gradients[path].reshape(value.shape)
            moved = value - scenario.descent.learning_rate * slope
            parameters = {**parameters, path: moved.astype(value.dtype)}
    for path, array in now.weights.arrays.items():
        assert np.array_equal(array, single.weights.arrays[path]), path
        # Products of other shapes differ in the last bits, and ten steps enlarge the differences.
        assert np.allclose(array, parameters[path], rtol=1e-3, atol=1e-4), path


@pytest.mark.parametrize(("position", "word", "steps"), TAUGHT)
def test_a_wrong_word_is_taught_within_a_few_steps_and_then_written_unaided(position, word, steps):
    runner = ForwardPassRunner()
    scenario = written().with_label(position, word)
    assert scenario.label_tokens[position] == word
    assert not scenario.writes_itself
    assert likeliest(scenario, runner)[position] != word
    taught = after_steps(scenario, runner, steps)
    assert likeliest(taught, runner) == scenario.label_tokens
    known = taught.vocabulary
    start, end = known.ids("target", (known.start, known.end))
    decoding = Decoding(start, end, 20, known.forbidden_ids)
    model = Transformer(taught.config, dict(runner.model(taught).parameters))
    found = greedy_decode(model, taught.ids("source"), decoding).ids.ravel()
    said = [known.target[each] for each in found if each not in (start, end)]
    assert (*said, known.end) == scenario.label_tokens
    assert with_written_target(taught.with_writing(True), runner).label_tokens == (*said, known.end)


@pytest.mark.parametrize("name", [PHRASES, NEXT_WORD, BLANKS, SANDBOX])
def test_replacing_a_right_word_changes_no_other_right_word(name):
    scenario = with_written_target(catalog.first(name), ForwardPassRunner())
    end = scenario.vocabulary.end
    choices = [w for each in right_words.words_to_choose(scenario) for w in each.words if w != end]
    assert choices
    for position in scenario.open_labels:
        before = scenario.label_tokens
        word = next(each for each in choices if each != before[position])
        now = scenario.with_label(position, word).label_tokens
        assert now == (*before[:position], word, *before[position + 1 :])


def test_a_word_is_taught_only_where_a_word_can_be_chosen():
    with pytest.raises(ValueError, match="No word can be chosen there"):
        written().with_label(40, "chat")
    with pytest.raises(ValueError, match="No word can be chosen there"):
        catalog.first(BLANKS).with_label(0, "chat")
    with pytest.raises(ValueError, match="vocabulary"):
        written().with_label(8, "zebra")
    scenario = written()  # an end token ends the target here
    now = scenario.with_label(3, scenario.vocabulary.end)
    assert now.label_tokens == (*scenario.label_tokens[:3], scenario.vocabulary.end)


def test_the_page_suggests_a_word_to_teach_and_shows_the_words_written_instead():
    state, line = page()
    first = state.scenario
    assert [each["word"] for each in line.right] == list(first.label_tokens)
    assert not any(each["writes"] for each in line.right)
    assert line.teaches == f"{right_words.ALREADY}. {right_words.CHOOSE}"
    line.hear({"type": "step", "count": 1})
    assert line.teaches == f"{right_words.ALREADY}. {right_words.CHOOSE}"
    line.hear({"type": "undo"})
    line.hear({"type": "word", "at": NOIR, "word": "petit"})
    assert line.right[NOIR]["word"] == "petit"
    assert line.right[NOIR]["writes"] == "noir"
    assert "“noir” where “petit” should be" in line.teaches
    assert not line.can_write
    line.hear({"type": "step", "count": MANY})
    assert state.scenario.descents == MANY
    assert line.right[NOIR]["writes"] == ""
    assert line.teaches == "Now it writes this."
    assert "“petit”" in line.stepped[1]
    assert line.can_write
    line.hear({"type": "write"})
    assert state.scenario.writes_itself
    assert state.scenario.target[NOIR + 1] == "petit"
    for _ in range(3):
        line.hear({"type": "undo"})
    assert state.scenario == first


def test_many_wrong_words_are_counted_and_a_sandbox_without_data_offers_none():
    state, line = page(SANDBOX)
    state.change(
        state.scenario.with_tokens("target", ["<sos>", "le", "chat", "sur", "le", "tapis"])
    )
    others = sum(1 for each in line.right if each["writes"])
    if others > right_words.NAMED:
        assert line.teaches.startswith(f"At {others} of {len(line.right)} positions")
    first = catalog.first(BLANKS)
    whole = first.with_tokens("source", [w for w in first.source if w != first.blank_token])
    found = right_words.right_words(whole, ForwardPassRunner())
    assert found
    assert not any(each.open for each in found)


def test_only_the_numbers_of_steps_that_have_a_button_are_accepted():
    state, line = page()
    line.receive({"type": "step", "count": 1000})
    assert state.scenario.descents == 0


def test_steps_that_follow_a_training_run_are_named():
    scenario = catalog.first("phrases")
    assert not scenario.changed_since_training
    for said in ("1 step of gradient descent", "2 steps of gradient descent"):
        scenario = after_steps(scenario, ForwardPassRunner(), 1)
        assert scenario.changed_since_training == said
    untrained = catalog.first(SANDBOX)
    assert not after_steps(untrained, ForwardPassRunner(), 1).changed_since_training
