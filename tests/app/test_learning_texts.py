import dataclasses

import numpy as np
import pytest
from tinkerformer.features.guide.view import GuideView
from tinkerformer.features.training.view import TrainingView
from tinkerformer.files import catalog
from tinkerformer.learning import Training, TrainingPlan, TrainingState, texts
from tinkerformer.learning.metrics import Evaluation
from tinkerformer.learning.shown_training import Check
from tinkerformer.model.scenario.run_curves import RunCurves
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.model.scenario.task_words import task_words
from tinkerformer.session.state import AppState
from tinkerformer.view_model.learning import Learning

from tests.app.learner import ENDLESS, TEXT, WORDS, on_app, played, scripted, small, until
from tests.app.learner import one_step_a_slice as one_step_a_slice
from transformer_math.data.pairs import read_csv
from transformer_math.ops.loss import TokenLoss

pytestmark = pytest.mark.usefixtures("one_step_a_slice")


def said(learner) -> tuple[str, str]:
    return learner.says.message


def test_the_text_does_not_promise_to_learn_unseen_pairs_with_unique_words():
    own = read_csv("I see,je vois\nyou go,tu vas\n", unit="word")
    assert texts.unseen(own).endswith("because it has words that no other pair has.")
    shared = read_csv("a b,x y\nb a,y x\n", unit="word")
    assert "cannot" not in texts.unseen(shared)

    async def script(learner):
        assert learner.says.ahead.endswith(
            "None of the unseen pairs can come right: each has words that no other has."
        )

    played(script, small("I see,je vois\nyou go,tu vas\n", "word"))


# -- the data --------------------------------------------------------------------------------------


def test_the_summary_counts_the_pairs_and_words():
    phrases, dates = (catalog.first(name).data.pairs() for name in ("phrases", "dates"))
    assert texts.pairs_summary(phrases) == (
        "21,500 phrases of 22 English and 30 French words to learn from; 1,000 others stay unseen."
    )
    found = texts.pairs_summary(dates)
    assert found.startswith(f"{dates.train_count:,} days of the years 1000–2999")
    assert found.endswith("1,000 others stay unseen.")
    assert texts.pairs_summary(read_csv(TEXT)) == (
        "15 pairs of your own to learn from, 1 unseen; 4 and 4 different characters, "
        "the longest sides 2 and 2."
    )
    assert "5 and 5 different words" in texts.pairs_summary(read_csv(WORDS, unit="word"))


@pytest.mark.parametrize("name", ["phrases", "dates", "next-word", "blanks"])
def test_the_guide_and_the_status_use_the_same_words_for_the_task_of_a_model(name):
    scenario = catalog.first(name)
    does = f" that {task_words(scenario.data).does}. "
    assert does in GuideView(AppState(scenario)).guide.value

    async def script(learner):
        assert does in said(learner)[0]

    played(script, scenario)


# -- the button ------------------------------------------------------------------------------------


@scripted(played, small)
async def test_the_button_names_its_action(learner):
    def label():
        return learner.says.train_label

    assert label().startswith("Train it (about ")
    await learner.session.step()
    assert label() == "Continue"
    await learner.session.play()
    await learner.over()
    assert label().startswith("Train again (about ")
    learner.page.change(learner.scenario.with_setting("decoder_layers", "0"))
    assert label() == "Train it"


@pytest.mark.parametrize(
    ("pace", "seconds", "duration"),
    [
        *(
            ("full", 0.01, "1 s"),
            ("full", 3.6, "4 s"),
            ("full", 89.4, "89 s"),
            ("full", 90, "2 min"),
        ),
        *(("slow", 3, "25 s"), ("fast", 3, "8 s"), ("full", 3, "3 s"), ("slow", 40, "40 s")),
    ],
)
def test_the_button_states_the_approximate_duration_of_a_run(monkeypatch, pace, seconds, duration):
    async def script(learner):
        assert learner.says.train_label == f"Train again (about {duration})"

    monkeypatch.setattr(TrainingPlan, "seconds", lambda plan: seconds)
    played(script, catalog.first("phrases").with_view("pace", pace))


@scripted(played, lambda: small().with_view("pace", "full"))
async def test_the_duration_of_the_next_run_is_estimated_from_the_last(learner):
    await learner.session.play()
    await learner.over()
    learner.session.run.seconds, learner.session.run._test_seconds = 50.0, 20.0
    assert learner.says.train_label == "Train again (about 50 s)"
    learner.page.change(small(steps=24).with_view("pace", "full"))
    seconds = TrainingPlan.of(learner.scenario).seconds() * learner.session.training.slowness
    assert seconds == pytest.approx(100)


# -- the sentence and the facts, state by state ----------------------------------------------------


@scripted(played, small)
async def test_before_the_first_step_a_sentence_states_what_a_run_will_show(learner):
    assert said(learner) == ("The weights are random: the model writes noise.", "")
    assert learner.says.facts == ""
    plan = TrainingPlan.of(learner.scenario)
    assert learner.says.ahead == (
        f"Press Train it. Pure guessing has a loss of {plan.chance_loss():.2f}; training brings it "
        f"towards {plan.minimum_loss():.2f}, and the pairs that come out right rise from 0 %."
    )
    await learner.session.step()
    assert learner.says.ahead == ""


@scripted(played, lambda: small().with_setting("label_smoothing", 0))
async def test_without_smoothing_the_loss_can_fall_to_zero(learner):
    assert " towards 0.00, " in learner.says.ahead


def test_the_loss_of_guessing_is_the_loss_of_equal_logits():
    plan = TrainingPlan.of(catalog.first("phrases"))
    size = len(plan.vocabulary.target)
    [loss] = TokenLoss(0.1, "paper", pad=None).forward(np.zeros((1, size)), np.array([3]))
    assert loss == pytest.approx(plan.chance_loss(), rel=1e-6)


@scripted(played, small)
async def test_every_state_of_a_run_states_its_numbers_and_the_button_that_continues(learner):
    session, guide = learner.session, lambda: learner.says.guide
    assert guide() == "Press Train it. The curves of the training appear here."
    assert learner.says.step_help == "Learn from one batch"
    for _ in range(3):
        await session.step()
    paused = "Paused. Drag along the curves to see an earlier moment. Continue goes on."
    assert guide() == paused
    assert learner.says.step_help == "Learn from one batch"
    await session.show_step(1)
    assert guide() == (
        "The whole page shows step 1 of the 3 so far. Last step goes back to the newest."
    )
    await session.show_step(None)
    assert guide() == paused
    await session.play()
    assert session.state is TrainingState.RUNNING
    assert guide() == "Each step learns from a few pairs. Pause lets you look back."
    await learner.over()
    assert guide() == (
        "The run is over. Drag along the curves to see an earlier moment. "
        "Train again and Step start from random numbers."
    )
    assert learner.says.step_help == "Learn from one batch, from random numbers"


def test_no_sentence_names_a_button_that_is_not_shown():
    async def script(learner):
        name = learner.says.train_name
        said = f"{learner.says.guide} {learner.says.message[0]}"
        assert name in said
        others = {"Train it", "Continue", "Train again"} - {name}
        assert not any(other in said for other in others)

    for scenario in (
        catalog.first("phrases"),
        small(),
        small(**ENDLESS).trained(None, 1234),
        dataclasses.replace(catalog.first("phrases"), steps_taken=0),
        dataclasses.replace(catalog.first("phrases"), steps_taken=500),
    ):
        played(script, scenario)


@scripted(played, lambda: small(**ENDLESS).trained(None, 1234))
async def test_a_link_states_the_last_step_of_its_run(learner):
    sentence = (
        "This model had been trained for 1,234 steps: Train again gives the same numbers, "
        "on another machine nearly the same."
    )
    assert said(learner) == (sentence, "")


@scripted(played, lambda: catalog.first("phrases"))
async def test_a_trained_model_suggests_a_test_and_would_start_from_random_numbers(learner):
    assert said(learner) == (
        "Trained: a Transformer of 2,136 numbers that translates English into French. "
        "Test counts the unseen phrases that come out right.",
        "",
    )
    again = "Train again and Step start from random numbers."
    assert learner.says.guide == f"{again} The curves of the training appear here."
    assert learner.says.step_help == "Learn from one batch, from random numbers"
    await learner.session.check_held_out()
    assert said(learner) == ("", "")
    assert learner.says.facts == "1,000 of 1,000 unseen phrases right"


@scripted(played, small)
async def test_a_sentence_says_all_right_only_if_every_answer_is_right(learner):
    session = learner.session
    await session.play()
    await learner.over()
    assert session.state is TrainingState.DONE
    run = session.run
    run.metrics.evaluations[-1] = Evaluation(12, 1, 1)
    assert said(learner) == ("All right.", "good")
    assert learner.says.facts.startswith("1 of 1 unseen pairs right · loss ")
    run.metrics.evaluations[-1] = Evaluation(12, 0, 1)
    assert said(learner) == ("", "")
    run.metrics.evaluations[-1] = Evaluation(12, 1, 1)
    # Nothing is known about an earlier step, or about an edited model.
    await session.show_step(0)
    assert said(learner) == ("", "")
    assert learner.says.facts == ""
    await session.show_step(None)
    learner.page.change(learner.scenario.with_value("source.W_e", (0, 0), 9))
    assert said(learner) == ("", "")
    assert not learner.says.facts.startswith("1 of 1")
    # Unless this step was tested:
    session.check = Check(learner.scenario, 1, 1)
    assert said(learner) == ("All right with your changed number.", "good")
    facts = learner.says.facts
    assert facts.startswith("1 of 1 unseen pairs right with your changed number ·")
    # Overridden computed numbers have no effect:
    computed = learner.scenario.with_value("output.logits", (0, 0), 9)
    learner.page.change(computed)
    session.check = Check(learner.scenario, 1, 1)
    assert "and no computed number set" in learner.says.facts
    learner.page.change(computed.with_silence(Silence("encoder.0.self_attn.out")))
    session.check = Check(learner.scenario, 1, 1)
    assert "no computed number set and no part silenced" in learner.says.facts


@scripted(played, small)
async def test_an_error_is_shown_instead_of_other_sentences(learner):
    learner.session.error = "Something else."
    assert said(learner) == ("Something else.", "bad")


def test_the_reset_button_names_its_seed():
    says = Learning(small().with_setting("seed", "31"), Training(TrainingState.READY))
    assert says.status["reset"] == (
        "Back to the random weights of seed 31; the training is lost. Undo restores it."
    )


def test_every_claim_follows_from_the_scenario_and_the_known_results_of_training():
    """Without a run, a page or a browser, the claims hold for any history."""
    scenario = small().trained(None, 3)
    curves = RunCurves((1, 3), (2.0, 1.5), (0.1, 0.1), (1.0, 1.0))
    running = Training(
        TrainingState.RUNNING,
        step=3,
        curves=curves,
        minimum_loss=0.25,
        right=(1, 4),
        checked_at=2,
        seconds_left=7.0,
    )
    assert Learning(scenario, running).facts == (
        "1 of 4 unseen pairs right at step 2 · loss 1.500 at step 3 (never below 0.250) · 7 s left"
    )
    done = running._replace(state=TrainingState.DONE, right=(4, 4), checked_at=3)
    assert Learning(scenario, done).message == ("All right.", "good")
    silent = scenario.with_silence(Silence("encoder.0.self_attn.head.0.context"))
    assert Learning(silent, done).message == ("All right with no part silenced.", "good")
    of_weights = "4 of 4 unseen pairs right with no part silenced · "
    assert Learning(silent, done).facts.startswith(of_weights)
    paused = running._replace(state=TrainingState.PAUSED, can_continue=True)
    assert Learning(scenario, paused).train_label == "Continue"
    waiting = Training(TrainingState.WAITING, ahead=2)
    assert Learning(scenario, waiting).message[0].startswith("2 trainings are before yours")


@scripted(played, lambda: on_app(small()))
async def test_the_line_counts_the_changed_numbers(learner):
    view = TrainingView(learner.page, learner.session)
    view.show(is_learn=True)
    await learner.session.check_held_out()
    for column, changed in enumerate(("your changed number", "your 2 changed numbers")):
        learner.page.change(learner.scenario.with_value("source.W_e", (0, column), 1.0))
        await learner.session.check_held_out()
        assert view.bar.shown["facts"].endswith(f"right with {changed}")
    assert learner.page.view_model.learning.facts == view.bar.shown["facts"]


@scripted(played, lambda: on_app(small()))
async def test_a_hidden_training_bar_computes_nothing(learner):
    view = TrainingView(learner.page, learner.session)
    before = view.bar.shown
    learner.page.change(learner.scenario.with_recipe(learner.scenario.recipe.replace(steps=7)))
    assert view.bar.shown is before
    view.show(is_learn=True)
    assert view.bar.shown["steps"] == 7


# -- the training bar ------------------------------------------------------------------------------


def test_the_training_bar_shows_the_state_and_its_buttons_change_it():
    async def script(learner):
        view = TrainingView(learner.page, learner.session)
        view.show(is_learn=True)
        bar = view.bar
        assert bar.shown["state"] == "ready"
        assert (bar.shown["step"], bar.shown["steps"]) == (0, 12)
        bar.receive({"type": "press", "name": "step"})
        await learner.over()
        assert (bar.shown["state"], bar.shown["step"]) == ("paused", 1)
        assert bar.shown["train"] == "Continue"
        bar.receive({"type": "press", "name": "play"})
        await until(lambda: learner.session.run.step == 12)
        await learner.over()
        assert (bar.shown["state"], bar.shown["step"]) == ("done", 12)
        assert bar.shown["facts"] == learner.says.facts
        bar.receive({"type": "press", "name": "reset"})
        await learner.over()
        assert (bar.shown["state"], bar.shown["step"]) == ("ready", 0)
        learner.page.change(catalog.first("sandbox"))
        assert bar.shown["state"] == "unavailable"
        assert "choose phrases, dates or your own pairs" in bar.shown["message"]
        learner.page.change(catalog.first("phrases"))
        assert (bar.shown["state"], bar.shown["step"]) == ("trained", 1000)
        bar.receive({"type": "press", "name": "check"})
        await learner.over()
        assert bar.shown["facts"] == "1,000 of 1,000 unseen phrases right"

    played(script, on_app(small().with_view("pace", "full")))
