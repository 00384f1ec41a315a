"""Texts that the page shows about a training."""

from __future__ import annotations

import numpy as np

from transformer_math.data.pairs import Pairs, StoredPairs
from transformer_math.data.report import shown_row
from transformer_math.data.texts import Texts
from transformer_math.data.tokenizer import Unit

from ..number_text import fixed
from ..scenario.scenario import Scenario
from ..scenario.task_words import task_words
from . import pace
from .learned_model import changed_numbers
from .plan import TrainingPlan
from .session import TrainingSession, TrainingState


def pairs_summary(pairs: Pairs) -> str:
    """What is learned, the size of the data, and the number of held-out pairs."""
    held_out = len(pairs.held_out_source)
    if pairs.name == "dates":
        return (
            f"{pairs.train_count:,} days of the years 1000–2999 to learn from; "
            f"{held_out:,} others stay unseen."
        )
    if pairs.name == "phrases":
        return (
            f"{pairs.train_count:,} phrases of {pairs.source_count} English and "
            f"{pairs.target_count} French words to learn from; {held_out:,} others stay unseen."
        )
    if pairs.name in ("next-word", "blanks"):
        words = (
            f"{pairs.target_count} English words"
            if pairs.name == "next-word"
            else (f"{pairs.target_count - 1} French words, blanks drawn anew in every step,")
        )
        return (
            f"{pairs.train_count:,} phrases of {words} to learn from; "
            f"{held_out:,} others stay unseen."
        )
    if isinstance(pairs, Texts):
        drawn = "" if pairs.kind == "decoder-only" else "; blanks are drawn anew in every step"
        return (
            f"{pairs.train_count:,} texts of your own to learn from, {held_out:,} unseen; "
            f"{pairs.source_count:,} different {pairs.unit}s, the longest text "
            f"{pairs.longest_target}{drawn}."
        )
    return (
        f"{pairs.train_count:,} pairs of your own to learn from, {held_out:,} unseen; "
        f"{pairs.source_count:,} and {pairs.target_count:,} different {pairs.unit}s, the longest "
        f"sides {pairs.longest_source} and {pairs.longest_target}."
    )


def tokens_by(unit: Unit) -> str:
    """That own data are read by words or by characters, where the user has chosen neither."""
    why = "half of the sources or more have several words"
    why = why if unit == "word" else "most sources are one word"
    return f"Each {unit} is a token, as {why}; choose otherwise beside “by”."


def unseen(pairs: Pairs) -> str:
    """How many of a few own pairs or texts are learned, and which one is held out."""
    what, row = "pair", [pairs.target_tokenizer.decode(pairs.held_out_target[0].tolist())]
    if isinstance(pairs, Texts):
        what = "text"
    else:
        row.insert(0, pairs.source_tokenizer.decode(pairs.held_out_source[0].tolist()))
    several = "" if pairs.train_count == 1 else "s"
    said = f"{pairs.train_count:,} {what}{several} to learn from; unseen: {shown_row(row)}."
    if can_come_right(pairs):
        return said
    return (
        f"{said} The model cannot get it right, because it has {pairs.unit}s that no other "
        f"{what} has."
    )


def can_come_right(pairs: Pairs) -> bool:
    """Whether an unseen pair has only words, or characters, that are trained on."""
    if not isinstance(pairs, StoredPairs):
        return True
    known = np.ones(len(pairs.held_out_source), bool)
    for learned, unseen_ids in (
        (pairs.source, pairs.held_out_source),
        (pairs.target, pairs.held_out_target),
    ):
        known &= np.isin(unseen_ids, learned).all(axis=1)
    return bool(known.any())


def train_name(session: TrainingSession) -> str:
    """What the button is called that starts or continues the training."""
    scenario = session.page.scenario
    if session.state is TrainingState.PAUSED:
        return "Train on"
    is_again = session.current is not None or scenario.weights or scenario.steps_taken
    return "Train again" if is_again and _has_plan(scenario) else "Train it"


def train_label(session: TrainingSession) -> str:
    """That name, and how long a new run takes."""
    scenario, name = session.page.scenario, train_name(session)
    if session.state is TrainingState.PAUSED or not _has_plan(scenario):
        return name
    shown = pace.seconds(scenario.view.pace, scenario.recipe.steps)
    return f"{name} (about {_duration(max(session.seconds(TrainingPlan.of(scenario)), shown))})"


def new_model(scenario: Scenario) -> str:
    """The size of an untrained model, and how long its training takes."""
    shown = pace.seconds(scenario.view.pace, scenario.recipe.steps)
    seconds = _duration(max(TrainingPlan.of(scenario).seconds(), shown))
    count = scenario.learned_config.parameter_count()
    return f"A new model of {count:,} parameters learns them in about {seconds}."


def _has_plan(scenario: Scenario) -> bool:
    try:
        TrainingPlan.of(scenario)
    except ValueError:
        return False
    return True


def test_label(scenario: Scenario) -> str:
    """The label of the button that counts what comes out right of what was never trained on."""
    return f"Test on unseen {task_words(scenario.data).examples}"


def _duration(seconds: float) -> str:
    return f"{max(round(seconds), 1)} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def facts(session: TrainingSession) -> str:
    """The number of correct held-out pairs, and the loss."""
    parts = []
    what = task_words(session.page.scenario.data).examples
    now, run = session.page.scenario.steps_taken, session.current
    is_other = session.right is not None and session.checked_at != now
    if session.right is not None:
        correct, total = session.right
        when = f" at step {session.checked_at:,}" if is_other else ""
        parts.append(f"{correct:,} of {total:,} unseen {what} right{when}{_by(session)}")
    loss = session.curves.loss_at(now)
    if run is not None and loss is not None:
        minimum = run.plan.minimum_loss()
        never = f" (label smoothing: never below {minimum:.3f})" if minimum else ""
        when = f" at step {now:,}" if is_other else ""
        parts.append(f"loss {loss:.3f}{when}{never}")
    if session.state is TrainingState.RUNNING and session.seconds_left is not None:
        parts.append(f"{session.seconds_left:.0f} s left")
    return " · ".join(parts)


def _by(session: TrainingSession) -> str:
    """The model that a result is of, where that is not the page's model as it was trained."""
    scenario = session.page.scenario
    changed, by = changed_numbers(scenario), ""
    if _left_out(session):
        not_done = [what for is_so, _, what in _beside_weights(scenario) if is_so]
        by = f" by the weights alone, as if you had {' and '.join(not_done)}"
    by = f" with {changed}{by}" if changed else by
    changed = scenario.changed_since_training
    return f"{by} after a change ({changed})" if changed else by


def of_examples(session: TrainingSession) -> str:
    """What the examples are written with, in one sentence; empty if that is the page's model."""
    by = _by(session)
    return f"The examples are written{by}." if by else ""


def of_curves(session: TrainingSession) -> str:
    """What the curves do not have, in one sentence; empty if nothing or without curves."""
    changed = changed_numbers(session.page.scenario)
    is_said = changed and session.curves.step
    return f"The curves are of the run, without {changed}." if is_said else ""


def left_out(session: TrainingSession) -> str:
    """What stays while the weights learn, in one sentence; empty if nothing.

    Counts, curves and examples are of the weights alone, which is what is trained: edits of
    computed cells and ablated parts do not apply to them.
    """
    said = _left_out(session)
    if not said:
        return ""
    return f"{said.capitalize()} stay; counts, curves and examples are of the weights alone."


def _left_out(session: TrainingSession) -> str:
    found = _beside_weights(session.page.scenario)
    return " and ".join(what for is_so, what, _ in found if is_so)


def _beside_weights(scenario: Scenario) -> list[tuple[bool, str, str]]:
    """What can change a pass beside its weights: whether it does, what it is, and not doing it."""
    is_set = not all(scenario.is_parameter(edit.path) for edit in scenario.edits)
    return [
        (is_set, "the computed numbers that you set", "set no computed number"),
        (bool(scenario.silences), "the parts that you silenced", "silenced no part"),
    ]


def status(session: TrainingSession) -> tuple[str, str]:
    """A status sentence about the training, and its tone."""
    state, scenario, run = session.state, session.page.scenario, session.current
    if session.error:
        return session.error, "bad"
    if state is TrainingState.UNAVAILABLE:
        return _why_not(scenario), ""
    if state is TrainingState.DIVERGED and run is not None:
        return f"{run.problem} A lower learning rate helps.", "bad"
    if state is TrainingState.WAITING:
        ahead = session.controller.ahead
        others = "1 training is" if ahead == 1 else f"{ahead} trainings are"
        return f"{others} before yours; it begins by itself.", ""
    repeated = _repeated(session)
    if repeated[0]:
        return repeated
    if state is TrainingState.READY:
        return _before_training(session), ""
    if scenario.changed_since_training or (
        state is TrainingState.TRAINED and session.right is None
    ):
        return _trained(session), ""
    if session.kept is not None:
        at = f"{scenario.steps_taken:,}"
        goes_on = f"It is at step {at}; {train_name(session)} continues as if it had never stopped."
        return f"{goes_on} The moments before were not kept.", ""
    right = session.right if session.checked_at == scenario.steps_taken else None
    if state is not TrainingState.DONE or right is None or right[0] != right[1]:
        return left_out(session), ""
    return ("All right by the weights alone." if _left_out(session) else "All right."), "good"


def _before_training(session: TrainingSession) -> str:
    scenario, name = session.page.scenario, train_name(session)
    if not scenario.steps_taken:
        return "The weights are random: what it writes is noise."
    steps = f"{scenario.steps_taken:,} steps"
    again = f"{name} gives the same numbers, on another machine nearly the same"
    return f"This model had been trained for {steps}: {again}."


def _repeated(session: TrainingSession) -> tuple[str, str]:
    """A sentence on a training that the page repeats or has repeated, and its tone; empty if none.

    A link or a tab that has no weights has the training that leads to them.
    """
    repeated, compared = session.repeated, session.comparison
    if repeated is not None and session.controller.is_active:
        at = session.page.scenario.steps_taken
        return f"Training again: step {at:,} of the {repeated.step:,} of the model you opened.", ""
    if repeated is not None:
        steps = f"The model that you opened had {repeated.step:,} steps"
        return f"{steps}: {train_name(session)} repeats them up to there.", ""
    if compared is None:
        return "", ""
    count = sum(array.size for array in compared.weights.arrays.values())
    if not compared.difference:
        return f"Trained again: all {count:,} numbers are as shared.", "good"
    return f"Trained again: the numbers differ by about {compared.difference:.1g} each.", ""


def _trained(session: TrainingSession) -> str:
    scenario, name = session.page.scenario, train_name(session)
    if changed := scenario.changed_since_training:
        goes = (
            "starts from random numbers" if scenario.descents else "trains the model as it is now"
        )
        return f"Changed after its training: {changed}. {name} {goes}."
    if not scenario.steps_taken:
        return f"The weights were given; {name} starts from random ones."
    if scenario.steps_taken < scenario.recipe.steps:
        return f"Kept as it was at that step; {name} starts over."
    return f"{_about(scenario)} {test_label(scenario)} counts those that come out right."


def guide(session: TrainingSession) -> str:
    """What is seen of the run at this moment, and what to do next, in a sentence or two."""
    state, scenario, run = session.state, session.page.scenario, session.current
    name = train_name(session)
    if state in (TrainingState.UNAVAILABLE, TrainingState.DIVERGED, TrainingState.WAITING):
        return ""
    if state is TrainingState.RUNNING:
        what = task_words(scenario.data).examples
        return f"It learns from a few {what} at each step. Pause stops it to look back."
    if run is None and session.kept is not None:
        return f"{name} goes on from step {scenario.steps_taken:,}."
    if run is None or not run.step:
        is_known = scenario.weights is not None
        changed = changed_numbers(scenario)
        without = f", without {changed}" if changed else ""
        begins = f"{name} begins a run{without}"
        if is_known or changed:
            begins = f"{name} and Step start from random numbers{without}"
        return f"{begins}, and its curves grow here."
    at, last = scenario.steps_taken, run.step
    if at != last:
        return (
            f"The whole page shows step {at:,} of the {last:,} so far. "
            "Last step goes back to the newest."
        )
    back = "Drag along the curves to see an earlier moment"
    if state is TrainingState.PAUSED:
        return f"Paused. {back}; {name} goes on."
    without = f", without {changed}" if (changed := changed_numbers(scenario)) else ""
    return f"The run is over. {back}; {name} and Step start from random numbers{without}."


def step_help(session: TrainingSession) -> str:
    """The help text of the button for one step."""
    run, scenario = session.current, session.page.scenario
    goes_on = session.kept is not None or (run is not None and run.can_continue)
    is_again = scenario.weights is not None and not goes_on
    return f"Learn from one batch{', from random numbers' if is_again else ''}"


def ahead(session: TrainingSession) -> str:
    """What a first run will show, in a sentence; empty once there is one."""
    scenario = session.page.scenario
    if session.current is not None or session.kept is not None:
        return ""
    try:
        plan = TrainingPlan.of(scenario)
    except ValueError as error:
        return str(error)
    falls = (
        f"Press {train_name(session)}: the loss falls from that of guessing, "
        f"{fixed(plan.chance_loss(), 2)}, towards {fixed(plan.minimum_loss(), 2)}"
    )
    what = task_words(scenario.data).examples
    if scenario.data is None or can_come_right(scenario.data.pairs()):
        return f"{falls}, and the share of unseen {what} that come out right rises from 0 %."
    own = f"each has {scenario.data.unit}s that no other has"
    return f"{falls}. None of the unseen {what} can come right: {own}."


def _about(scenario: Scenario) -> str:
    """A sentence about the trained model on the page."""
    trained, changed = _trained_to(scenario), changed_numbers(scenario)
    return f"{trained}, with {changed}." if changed else f"{trained}."


def _trained_to(scenario: Scenario) -> str:
    numbers = f"a Transformer of {scenario.learned_config.parameter_count():,} numbers"
    does = task_words(scenario.data).does
    return f"Trained: {numbers}{does and f' that {does}'}"


def reset_help(scenario: Scenario) -> str:
    """The help text of the Reset button."""
    return (
        f"Back to the random weights of seed {scenario.settings.seed}; what was learned is "
        "forgotten. Undo brings it back."
    )


def _why_not(scenario: Scenario) -> str:
    try:
        TrainingPlan.of(scenario)
    except ValueError as error:
        return str(error)
    return ""
