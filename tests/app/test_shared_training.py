import asyncio
import base64
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tinkerformer.features.share.view import ShareView
from tinkerformer.files import catalog
from tinkerformer.files.open_model import opened
from tinkerformer.learning import TrainingPlan, TrainingRun, TrainingState
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.model.scenario.training_checksum import SUMS, TrainingChecksum
from tinkerformer.model.scenario.training_data import TrainingData
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.file_name import file_name
from tinkerformer.session.lesson_progress import LessonProgress
from tinkerformer.session.link import (
    MAX_LINK_LENGTH,
    MAX_NUMBERS,
    decode,
    encode,
    shared,
    shared_link,
    unpacked,
)
from tinkerformer.session.restore import read, restore
from tinkerformer.session.session_json import SavedSession, from_dict, from_json, to_dict, to_json
from tinkerformer.session.state import AppState
from tinkerformer.view_model.page_location import Followed, PageLocation

from tests.app.learner import ENDLESS, WORDS, Learner, on_app, played, scripted, small, until
from tests.app.learner import one_step_a_slice as one_step_a_slice
from tests.app.test_recipe_settings import recipes
from tests.app.test_trained_json import trained_by_hand
from tests.app.trained import dates_file
from tests.math.test_families import STORED, files_of

SLOWLY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
STEPS = 5
LETTERS = st.text("abcäß你", min_size=1, max_size=4)


def trained(scenario: Scenario, steps: int = STEPS) -> Scenario:
    """The model after some steps of its training."""
    run = TrainingRun(TrainingPlan.of(scenario))
    run.advance(seconds=1e9, until=steps)
    return scenario.trained(run.weights(), steps)


def bits(weights: Weights) -> dict[str, bytes]:
    return {path: array.tobytes() for path, array in weights.arrays.items()}


def opened_in_a_page(code: str) -> AppState:
    state = AppState()
    assert not restore(state, read(unpacked(code)), lambda: None)
    return state


# -- contents of a link ----------------------------------------------------------------------------


@st.composite
def own_models(draw: st.DrawFn) -> Scenario:
    """Draw a model of own pairs with any recipe and seed, after any number of steps."""
    drawn = st.lists(st.tuples(LETTERS, LETTERS), min_size=3, max_size=9, unique=True)
    # One source is held out, so that a second one is needed to learn from.
    pairs = draw(drawn.filter(lambda pairs: len({source for source, _ in pairs}) > 1))
    text = "".join(f"{a},{b}\n" for a, b in pairs)
    scenario = small(text).with_recipe(draw(recipes()))
    scenario = scenario.with_setting("seed", draw(st.integers(1, 9999)))
    return trained_by_hand(scenario, draw(st.integers(1, scenario.recipe.steps)))


@SLOWLY
@given(scenario=own_models())
def test_a_link_restores_recipe_and_seed_and_step_and_pairs(scenario: Scenario) -> None:
    back = decode(encode(SavedSession(scenario)))
    assert back.scenario == scenario.trained(None, scenario.steps_taken).with_written(
        back.scenario.target
    )
    assert back.scenario.data == scenario.data
    assert back.checksum == TrainingChecksum.of(scenario.weights, scenario.steps_taken)
    assert back.checksum.difference(scenario.weights) == 0


def test_a_link_has_the_weights_if_they_fit() -> None:
    tiny = small("a,b\nb,a\naa,bb\n").with_setting("d_model", "4").with_setting("d_ff", "4")
    scenario = trained_by_hand(tiny.with_setting("decoder_layers", "1"), 12)
    assert scenario.learned_config.parameter_count() <= MAX_NUMBERS
    code = encode(SavedSession(scenario))
    assert len(code) <= MAX_LINK_LENGTH
    back = decode(code)
    assert bits(back.scenario.weights) == bits(scenario.weights)
    assert back.checksum is None
    assert opened_in_a_page(code).repeated is None


def test_a_link_that_would_be_too_long_names_the_cause_and_has_no_code() -> None:
    letters = np.random.default_rng(1).integers(97, 123, (2_000, 12), np.uint8)
    text = "".join(
        f"{row[:6].tobytes().decode()},{row[6:].tobytes().decode()}\n" for row in letters
    )
    code, about = shared_link(SavedSession(catalog.of_pairs(TrainingData("own", text))))
    assert code is None
    assert "8,000 characters" in about
    assert about.endswith("most of them for your own pairs or texts.")


def test_a_link_without_room_for_the_weights_of_a_file_states_it() -> None:
    scenario = opened({"a.safetensors": dates_file()}, Scenario())
    code, about, text = shared(SavedSession(scenario))
    assert code is None
    assert "weights of a file. Save a file instead, which holds everything exactly." in about
    assert from_json(text).scenario == scenario


def test_a_link_states_that_it_repeats_the_training_and_omits_the_baseline() -> None:
    scenario = trained_by_hand(small(), STEPS)
    code, about = shared_link(SavedSession(scenario, baseline=trained_by_hand(small(), 3)))
    assert code is not None
    assert f"{STEPS} steps" in about
    assert "baseline is not in the link" in about


def test_a_link_of_a_model_that_was_changed_after_training_states_what_it_omits() -> None:
    trained = trained_by_hand(small(), STEPS)
    broken = trained.with_setting("positions", "none").with_recipe(trained.recipe.replace(warmup=0))
    code, about, text = shared(SavedSession(broken))
    back = decode(code)
    assert back.scenario.choices == trained.choices
    assert back.checksum.difference(trained.weights) == 0
    assert about.startswith("The link opens this model as it was trained, with its text")
    assert "without what you changed after the training (positions sinus" in about
    assert "; warm-up" in about
    assert from_json(text).scenario == broken
    whole = shared(SavedSession(trained)).about
    assert whole.startswith("The link opens this model with its text")
    assert whole[whole.index("The link holds") :] == about[about.index("The link holds") :]


@SLOWLY
@given(st.sets(st.sampled_from(["number", "silence", "baseline", "trained baseline", "trained"])))
def test_the_first_sentence_names_exactly_what_the_link_opens(had: set[str]) -> None:
    scenario, baseline = small(), None
    if "trained" in had:
        scenario = trained_by_hand(scenario, 3)
    if "number" in had:
        scenario = scenario.with_value("output.W_out", (0, 0), 2.0)
    if "silence" in had:
        scenario = scenario.with_silence(Silence("decoder.0.feed_forward.out"))
    if had & {"baseline", "trained baseline"}:
        baseline = trained_by_hand(small(), 3) if "trained baseline" in had else small()
    code, about = shared_link(SavedSession(scenario, baseline=baseline))
    assert code is not None
    back, first = decode(code), about.partition(". ")[0]
    assert first.startswith("The link opens this model with its text and settings, ")
    assert ("your own pairs" in first) == (back.scenario.data is not None)
    assert ("trained weights" in first) == (back.scenario.weights is not None)
    assert ("numbers that were set" in first) == bool(back.scenario.edits)
    assert ("silenced parts" in first) == bool(back.scenario.silences)
    assert ("pinned baseline" in first) == (back.baseline is not None)


def test_a_link_of_a_trained_model_without_a_part_opens_it_without_the_part() -> None:
    phrases = catalog.first("phrases")
    broken = phrases.with_setting("positions", "none")
    back = decode(encode(SavedSession(broken))).scenario
    assert back.trained_with == phrases.choices
    assert back.with_written(()) == broken.with_written(())
    whole = back.with_setting("positions", "sinusoidal")
    assert whole.trained_with is None


# -- invalid links ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (None, "checksum"),
        ([], "checksum"),
        ({"step": 0}, "checksum.step"),
        ({"step": 5001}, "checksum.step"),
        ({"step": True}, "checksum.step"),
        ({"step": 1.5}, "checksum.step"),
        ({"sums": [0.0] * (SUMS - 1)}, "checksum.sums"),
        ({"sums": [0.0] * (SUMS + 1)}, "checksum.sums"),
        ({"sums": ["0"] * SUMS}, "checksum.sums"),
        ({"sums": [1e400] * SUMS}, "checksum.sums"),
        ({"sums": None}, "checksum.sums"),
        ({"more": 1}, "more"),
    ],
)
def test_a_wrong_checksum_is_named_and_the_other_parts_open(wrong: object, why: str) -> None:
    data = to_dict(SavedSession(trained_by_hand(small(), STEPS)))
    bad = {**data, "checksum": data["checksum"] | wrong if isinstance(wrong, dict) else wrong}
    with pytest.raises(ValueError, match=why) as caught:
        from_dict(bad)
    assert "\n" not in str(caught.value)
    state = AppState()
    written = json.dumps(bad).replace("Infinity", "1e400")
    assert restore(state, read(written), lambda: None) == "the checksum of its training"
    assert (state.scenario.steps_taken, state.repeated.step) == (STEPS, STEPS)


# -- the checksum ----------------------------------------------------------------------------------


def other_weights(first: Weights, arrays: dict[str, np.ndarray]) -> Weights:
    return Weights(arrays, first.source_vocabulary, first.target_vocabulary)


@SLOWLY
@given(seed=st.integers(0, 2**31), scale=st.sampled_from([1e-6, 1e-3, 1.0]), is_shift=st.booleans())
def test_a_checksum_measures_the_distance_of_other_weights(
    seed: int, scale: float, is_shift: bool
) -> None:
    weights, generator = trained_by_hand(small(), STEPS).weights, np.random.default_rng(seed)
    # All weights and differences have the same sign here, so unsigned sums would add up.
    first = {path: np.abs(array) for path, array in weights.arrays.items()}
    other = {
        path: (array + (1 if is_shift else generator.normal(size=array.shape)) * scale)
        for path, array in first.items()
    }
    other = {path: array.astype(np.float32) for path, array in other.items()}
    checksum = TrainingChecksum.of(other_weights(weights, first), STEPS)
    found = checksum.difference(other_weights(weights, other))
    differences = [(other[path] - first[path]).ravel() for path in first]
    exact = float(np.sqrt(np.mean(np.concatenate(differences).astype(np.float64) ** 2)))
    # With eight sums of random signs, an error by a factor of ten is rarer than one in a million.
    assert exact / 10 < found < exact * 10


def test_a_checksum_differs_by_the_last_bit_of_any_number() -> None:
    first = trained_by_hand(small(), STEPS).weights
    checksum = TrainingChecksum.of(first, STEPS)
    assert checksum.difference(first) == 0
    for path in first.arrays:
        for at in (0, -1):
            arrays = {each: array.copy() for each, array in first.arrays.items()}
            arrays[path].flat[at] = np.nextafter(arrays[path].flat[at], np.float32(9))
            assert 0 < checksum.difference(other_weights(first, arrays)) < 1e-6


# -- the repeated training -------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, STEPS, 12])
@pytest.mark.usefixtures("one_step_a_slice")
def test_a_link_opens_the_model_that_was_shared_after_repeating_its_training(steps: int) -> None:
    model = trained(small(WORDS, "word"), steps)
    state = opened_in_a_page(encode(SavedSession(model)))
    past = len(state.history.past)

    async def script(learner: Learner) -> None:
        await learner.session.repeat()
        if steps > 1:
            await until(lambda: 0 < learner.scenario.steps_taken < steps)
            at = learner.scenario.steps_taken
            said = f"Training again: step {at} of the {steps} of the model you opened."
            assert learner.says.message[0] == said
        await learner.over()
        assert learner.scenario.steps_taken == steps
        assert bits(learner.scenario.weights) == bits(model.weights)
        assert learner.session.comparison.difference == 0
        said, tone = learner.says.message
        assert (said.endswith("numbers are as shared."), tone) == (True, "good")
        assert learner.page.repeated is None
        ended = TrainingState.DONE if steps == 12 else TrainingState.PAUSED
        assert learner.session.state is ended

    played(script, state)
    assert len(state.history.past) == past  # undo removes the opened link in one step


@pytest.mark.usefixtures("one_step_a_slice")
@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_a_shared_copy_follows_the_same_word(stack: str) -> None:
    runner = ForwardPassRunner()
    found = (trained(small().with_setting("seed", seed), 12) for seed in range(1, 40))
    model = next(  # before training, the sentence is shorter
        with_written_target(each, runner)
        for each in found
        if len(with_written_target(each.trained(None, 0), runner).target)
        < len(with_written_target(each, runner).target)
    )
    words = model.source if stack == "encoder" else model.target
    for position in range(len(words)):
        place = PageLocation(followed=Followed(stack, position))
        state = opened_in_a_page(encode(SavedSession(model, place=place)))

        async def script(learner: Learner) -> None:
            await learner.session.repeat()
            await learner.over()

        played(script, state)
        assert state.scenario.target == model.target
        assert state.location.followed == place.followed


@pytest.mark.usefixtures("one_step_a_slice")
def test_a_repeated_training_with_another_result_states_the_difference() -> None:
    shared = trained(small())
    data = to_dict(SavedSession(shared))
    data["recipe"]["batch"] = 5  # as if the batch had been changed after the training

    async def script(learner: Learner) -> None:
        await learner.session.repeat()
        await learner.over()
        found = learner.session.comparison.difference
        both = learner.scenario.weights.arrays, shared.weights.arrays
        differences = [(both[0][path] - both[1][path]).ravel() for path in both[0]]
        exact = float(np.sqrt(np.mean(np.concatenate(differences) ** 2)))
        assert exact / 10 < found < exact * 10
        said = f"Trained again: the numbers differ by about {found:.1g} each."
        assert learner.says.message == (said, "")

    state = AppState()
    restore(state, read(json.dumps(data)), lambda: None)
    played(script, state)


@pytest.mark.usefixtures("one_step_a_slice")
def test_a_repeated_training_continues_after_a_reload_and_is_compared() -> None:
    model, kept = trained(small(**{**ENDLESS, "steps": 40}), 20), []

    async def begin(learner: Learner) -> None:
        await learner.session.repeat()
        await learner.until_step(4)
        await learner.session.pause()
        assert learner.session.state is TrainingState.PAUSED
        assert "20 steps" in learner.says.message[0]
        kept.append(to_json(learner.page.snapshots.take(), with_weights=True))

    async def go_on(learner: Learner) -> None:
        assert 4 <= learner.scenario.steps_taken < 20
        await learner.session.repeat()
        await learner.over()
        assert learner.scenario.steps_taken == 20
        assert bits(learner.scenario.weights) == bits(model.weights)
        assert learner.session.comparison.difference == 0

    played(begin, opened_in_a_page(encode(SavedSession(model))))
    state = AppState()
    assert not restore(state, read(kept[0]), lambda: None)
    played(go_on, state)


@pytest.mark.usefixtures("one_step_a_slice")
def test_after_a_change_or_reset_the_training_is_not_repeated() -> None:
    code = encode(SavedSession(trained(small())))

    async def change(learner: Learner) -> None:
        page = learner.page
        page.change(page.scenario.with_recipe(page.scenario.recipe.replace(batch=3)))
        assert learner.session.repeated is None
        await learner.session.repeat()
        assert learner.session.run is None
        assert "checksum" not in to_dict(page.snapshots.take())
        page.undo()
        assert learner.session.repeated is not None

    async def reset(learner: Learner) -> None:
        await learner.session.reset()
        assert learner.session.repeated is None
        await learner.session.play()
        await learner.over()
        assert learner.scenario.steps_taken == 12

    for script in (change, reset):
        played(script, opened_in_a_page(code))


@pytest.mark.usefixtures("one_step_a_slice")
def test_a_step_beyond_the_recipe_is_its_last_step() -> None:
    data = to_dict(SavedSession(trained(small(), 12)))
    data["trained"] = data["checksum"]["step"] = 4000
    state = AppState()
    restore(state, read(json.dumps(data)), lambda: None)

    async def script(learner: Learner) -> None:
        await learner.session.repeat()
        await learner.over()
        assert learner.scenario.steps_taken == 12
        assert learner.session.comparison is not None
        assert learner.page.repeated is None

    played(script, state)


# -- sharing during a training run -----------------------------------------------------------------


def shared_in(learner: Learner) -> tuple[ShareView, list[dict[str, Any]]]:
    """The Share button of a page with a training run, and the sessions that its dialog received."""
    view, sent = ShareView(learner.page, lambda: None, None, learner.session), []
    view.line.connect(sent.append)
    return view, sent


@pytest.mark.usefixtures("one_step_a_slice")
@pytest.mark.parametrize("at", [0, 1, 4])
@scripted(played, lambda: on_app(small(**ENDLESS)))
async def test_while_the_share_dialog_is_open_link_and_file_and_page_have_the_same_step(
    learner: Learner, at: int
) -> None:
    view, sent = shared_in(learner)
    playing = asyncio.create_task(learner.session.play())
    await asyncio.sleep(0)  # while the run is created
    await until(lambda: learner.scenario.steps_taken >= at)
    view.line.receive({"type": "ask", "stage": ""})
    await until(lambda: bool(sent))
    await playing
    for _ in range(50):
        await asyncio.sleep(0)
    step = learner.scenario.steps_taken
    assert not learner.session.is_busy
    assert from_json(sent[0]["text"]).scenario.steps_taken == step
    assert from_json(sent[0]["text"]).scenario.weights == learner.scenario.weights
    assert decode(sent[0]["code"]).scenario.steps_taken == step
    assert sent[0]["about"].startswith(f"The training is paused at step {step} while")
    view.line.receive({"type": "close"})
    assert learner.session.is_busy
    await learner.until_step(step + 2)
    await learner.session.pause()


@pytest.mark.usefixtures("one_step_a_slice")
@scripted(played, lambda: on_app(small(**ENDLESS)))
async def test_a_share_dialog_that_closes_at_once_leaves_the_training_running(
    learner: Learner,
) -> None:
    view, sent = shared_in(learner)
    await learner.session.play()
    await learner.until_step(2)
    view.line.receive({"type": "ask", "stage": ""})
    view.line.receive({"type": "close"})
    await learner.until_step(9)
    assert sent == []
    await learner.session.pause()


@pytest.mark.usefixtures("one_step_a_slice")
@scripted(played, lambda: on_app(small(**ENDLESS)))
async def test_closing_the_share_dialog_does_not_start_a_paused_training(
    learner: Learner,
) -> None:
    view, sent = shared_in(learner)
    await learner.session.play()
    await learner.until_step(2)
    await learner.session.pause()
    step = learner.scenario.steps_taken
    one = asyncio.create_task(learner.session.step())
    await asyncio.sleep(0)
    view.line.receive({"type": "ask", "stage": ""})
    await until(lambda: bool(sent))
    await one
    assert from_json(sent[0]["text"]).scenario.steps_taken == learner.scenario.steps_taken
    assert learner.scenario.steps_taken in (step, step + 1)
    view.line.receive({"type": "close"})
    assert not learner.session.is_busy


# -- files -----------------------------------------------------------------------------------------


def test_a_file_holds_a_large_trained_model_exactly() -> None:
    scenario = small().with_setting("d_model", "64").with_setting("encoder_layers", "3")
    scenario = trained_by_hand(scenario, STEPS)
    assert scenario.learned_config.parameter_count() > 100_000
    back = from_json(to_json(SavedSession(scenario), with_weights=True, most=10**9))
    assert bits(back.scenario.weights) == bits(scenario.weights)


@pytest.mark.parametrize("name", ["annotated", "bart", "nanogpt", "tutorial"])
def test_a_file_holds_a_model_that_was_opened_from_a_file_exactly(name: str) -> None:
    stored = STORED[name]
    heads = None if name == "bart" else stored.config["heads"]
    scenario = opened(files_of(stored), Scenario(), heads)
    path = next(
        path for path in scenario.weights.arrays if path.endswith("ffn.W_1") or "W_" in path
    )
    scenario = scenario.with_value(path, (0,) * len(scenario.shape(path)), 0.5)
    scenario = scenario.with_training(True).with_view("palette", "safe")
    saved = SavedSession(scenario, baseline=scenario.without_edits())
    back = from_json(shared(saved).text)
    assert back.scenario == scenario
    assert bits(back.scenario.weights) == bits(scenario.weights)
    assert back.baseline == saved.baseline
    assert "file" not in to_dict(saved, with_weights=True)  # only a tab stores the file


@pytest.mark.parametrize(
    "wrong",
    [None, [], {}, {"name": "a"}, {"name": "a", "content": "é"}, {"name": 3, "content": ""}],
)
def test_a_damaged_model_inside_a_session_file_is_reported_in_one_sentence(wrong: object) -> None:
    with pytest.raises(ValueError, match="file") as caught:
        from_dict({"version": 1, "model": "file", "file": wrong})
    assert str(caught.value).endswith(".")
    for content in (b"", b"x" * 99, dates_file()[:-1]):
        held = {"name": "a", "content": base64.b64encode(content).decode()}
        with pytest.raises(ValueError, match="file"):
            from_dict({"version": 1, "model": "file", "file": held})


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        (catalog.first("phrases"), f"phrases-step-{catalog.first('phrases').steps_taken}.json"),
        (catalog.first("sandbox"), "sandbox.json"),
        (small(), "own-pairs.json"),
        (trained_by_hand(small(), 412), "own-pairs-step-412.json"),
        (opened({"my model.safetensors": dates_file()}, Scenario()), "my-model.json"),
        (opened({"../a/‮b\n.pt": dates_file()}, Scenario()), "a-b.json"),
    ],
)
def test_a_file_is_named_after_its_model_and_step(scenario: Scenario, name: str) -> None:
    assert file_name(scenario) == name


def test_shared_sessions_omit_the_completed_tasks_of_a_lesson() -> None:
    lesson = LessonProgress("film", 1).did("0")
    saved = SavedSession(small(), lesson=lesson, before=SavedSession(Scenario()))
    for back in (from_json(to_json(saved.for_others(), with_weights=True)), decode(encode(saved))):
        assert back.lesson == LessonProgress("film", 1)
        assert back.before is None
