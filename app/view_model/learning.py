"""The statements of the page about the training of its model."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..learning import Training, TrainingPlan, TrainingState, pace
from ..learning.learned_model import changed_numbers
from ..learning.texts import can_come_right, duration
from ..model.scenario.scenario import Scenario
from ..model.scenario.task_words import task_words
from ..number_text import fixed


class Learning:
    """The statements about a training run, computed when they are first read.

    Attributes:
        scenario: the scenario whose model is trained.
        training: the facts of that training.
        changed: the edited weights in words; empty if there are none.
    """

    def __init__(self, scenario: Scenario, training: Training) -> None:
        self.scenario, self.training = scenario, training
        self.changed = changed_numbers(scenario)
        self._without = self.changed and f", without {self.changed}"
        self._what = task_words(scenario.data).examples

    @property
    def status(self) -> dict[str, Any]:
        """The data of the line with the buttons; the browser declares it as ``Shown``."""
        scenario, state = self.scenario, self.training.state
        message, tone = self.message
        return {
            "state": state.value,
            "train": self.train_label,
            "test": f"Test on unseen {self._what}",
            "step": scenario.steps_taken if state is not TrainingState.READY else 0,
            "steps": scenario.recipe.steps,
            "facts": self.facts,
            "message": message,
            "tone": tone,
            "step_help": self.step_help,
            "reset": (
                f"Back to the random weights of seed {scenario.settings.seed}; the training is "
                "lost. Undo restores it."
            ),
        }

    @cached_property
    def _plan(self) -> TrainingPlan | str:
        """The plan of a run of the model, or a sentence on the reason why there is none."""
        try:
            return TrainingPlan.of(self.scenario)
        except ValueError as error:
            return str(error)

    # -- the buttons ---------------------------------------------------------------------------

    @cached_property
    def train_name(self) -> str:
        """The name of the button that starts or continues the training."""
        scenario, training = self.scenario, self.training
        if training.state is TrainingState.PAUSED:
            return "Continue"
        is_again = training.step is not None or scenario.weights or scenario.steps_taken
        return "Train again" if is_again and not isinstance(self._plan, str) else "Train it"

    @property
    def train_label(self) -> str:
        """The label of the button ``train_name``, with the duration of a new run."""
        plan, view = self._plan, self.scenario.view
        if self.training.state is TrainingState.PAUSED or isinstance(plan, str):
            return self.train_name
        shown = pace.seconds(view.pace, self.scenario.recipe.steps)
        seconds = max(plan.seconds() * self.training.slowness, shown)
        return f"{self.train_name} (about {duration(seconds)})"

    @property
    def step_help(self) -> str:
        """The help text of the button for one step."""
        goes_on = self.training.is_kept or self.training.can_continue
        is_again = self.scenario.weights is not None and not goes_on
        return f"Learn from one batch{', from random numbers' if is_again else ''}"

    # -- the model of the results --------------------------------------------------------------

    @property
    def _left_out(self) -> str:
        """The sentence that names the choices that the results ignore; empty if there are none."""
        said = " and ".join(what for what, _ in self.scenario.beside_weights)
        return said and f"Counts, curves and examples ignore {said}."

    @property
    def _by(self) -> str:
        """A phrase on the model that has a result, if it is not the page's model as trained."""
        parts = [self.changed, *(not_done for _, not_done in self.scenario.beside_weights)]
        by = f" with {' and '.join(said)}" if (said := list(filter(None, parts))) else ""
        changed = self.scenario.changed_since_training
        return f"{by} after a change ({changed})" if changed else by

    @property
    def of_examples(self) -> str:
        """The sentence on the model that writes the examples; empty if it is the page's model."""
        return self._by and f"The examples are written{self._by}."

    @property
    def of_curves(self) -> str:
        """The sentence on edits that the curves do not include; empty without edits or curves."""
        is_said = self.changed and self.training.curves.step
        return f"The curves are of the run{self._without}." if is_said else ""

    # -- numbers and sentences -----------------------------------------------------------------

    @property
    def facts(self) -> str:
        """The number of correct held-out pairs, the loss, and the time that is left."""
        training, now, parts = self.training, self.scenario.steps_taken, []
        is_other = training.right is not None and training.checked_at != now
        if training.right is not None:
            correct, total = training.right
            when = f" at step {training.checked_at:,}" if is_other else ""
            parts.append(f"{correct:,} of {total:,} unseen {self._what} right{when}{self._by}")
        loss = training.curves.loss_at(now)
        if training.step is not None and loss is not None:
            minimum = training.minimum_loss
            never = f" (never below {minimum:.3f})" if minimum else ""
            when = f" at step {now:,}" if is_other else ""
            parts.append(f"loss {loss:.3f}{when}{never}")
        if training.state is TrainingState.RUNNING and training.seconds_left is not None:
            parts.append(f"{training.seconds_left:.0f} s left")
        return " · ".join(parts)

    @property
    def message(self) -> tuple[str, str]:
        """A sentence about the training, and its tone."""
        scenario, training, state = self.scenario, self.training, self.training.state
        at = f"{scenario.steps_taken:,}"
        if (said := self._problem or self._repeated)[0]:
            return said
        if state is TrainingState.READY and not scenario.steps_taken:
            return "The weights are random: the model writes noise.", ""
        if state is TrainingState.READY:
            again = "gives the same numbers, on another machine nearly the same"
            return f"This model had been trained for {at} steps: {self.train_name} {again}.", ""
        is_tested = training.right is not None
        if scenario.changed_since_training or (state is TrainingState.TRAINED and not is_tested):
            return self._trained, ""
        if training.is_kept:
            goes_on = f"{self.train_name} continues as if it had never stopped"
            return f"It is at step {at}; {goes_on}. The moments before were not kept.", ""
        right = training.right if training.checked_at == scenario.steps_taken else None
        if state is not TrainingState.DONE or right is None or right[0] != right[1]:
            return self._left_out, ""
        return f"All right{self._by}.", "good"

    @property
    def _problem(self) -> tuple[str, str] | None:
        """A sentence on the reason why the model cannot train now, and its tone; None if it can."""
        training, ahead = self.training, self.training.ahead
        if training.error:
            return training.error, "bad"
        if training.state is TrainingState.UNAVAILABLE:
            return str(self._plan), ""
        if training.state is TrainingState.DIVERGED:
            return f"{training.problem} A lower learning rate helps.", "bad"
        if training.state is TrainingState.WAITING:
            others = "1 training is" if ahead == 1 else f"{ahead} trainings are"
            return f"{others} before yours; yours begins by itself.", ""
        return None

    @property
    def _repeated(self) -> tuple[str, str]:
        """A sentence on a training run that the page repeats or has repeated, and its tone.

        A link or a tab without weights contains the training that reproduces them.
        """
        last, compared = f"{self.training.repeats:,}", self.training.comparison
        if self.training.repeats and self.training.state is TrainingState.RUNNING:
            at = f"{self.scenario.steps_taken:,}"
            return f"Training again: step {at} of the {last} of the model you opened.", ""
        if self.training.repeats:
            steps = f"The model that you opened had {last} steps"
            return f"{steps}: {self.train_name} repeats them up to there.", ""
        if compared is None:
            return "", ""
        count = sum(array.size for array in compared.weights.arrays.values())
        if not compared.difference:
            return f"Trained again: all {count:,} numbers are as shared.", "good"
        return f"Trained again: the numbers differ by about {compared.difference:.1g} each.", ""

    @property
    def _trained(self) -> str:
        scenario, name = self.scenario, self.train_name
        if changed := scenario.changed_since_training:
            goes = "trains the model as it is now"
            goes = "starts from random numbers" if scenario.descents else goes
            return f"Changed after its training: {changed}. {name} {goes}."
        if not scenario.steps_taken:
            return f"The weights were given; {name} starts from random ones."
        if scenario.steps_taken < scenario.recipe.steps:
            return f"Kept as it was at that step; {name} starts over."
        does = task_words(scenario.data).does
        about = f"a Transformer of {scenario.learned_config.parameter_count():,} numbers"
        about += (does and f" that {does}") + (self.changed and f", with {self.changed}")
        return f"Trained: {about}. Test counts the unseen {self._what} that come out right."

    @property
    def guide(self) -> str:
        """One or two sentences on the shown moment of the run, and the next thing to do."""
        training, scenario, name = self.training, self.scenario, self.train_name
        state, at, last = training.state, scenario.steps_taken, training.step
        if state in (TrainingState.UNAVAILABLE, TrainingState.DIVERGED, TrainingState.WAITING):
            return ""
        if state is TrainingState.RUNNING:
            return f"Each step learns from a few {self._what}. Pause lets you look back."
        if last is None and training.is_kept:
            return f"{name} goes on from step {at:,}."
        if not last:
            curves = "The curves of the training appear here."
            if scenario.weights is None and not self.changed:
                return f"Press {name}. {curves}"
            return f"{name} and Step start from random numbers{self._without}. {curves}"
        if at != last:
            return (
                f"The whole page shows step {at:,} of the {last:,} so far. "
                "Last step goes back to the newest."
            )
        back = "Drag along the curves to see an earlier moment"
        if state is TrainingState.PAUSED:
            return f"Paused. {back}. {name} goes on."
        goes = f"{name} and Step start from random numbers{self._without}"
        return f"The run is over. {back}. {goes}."

    @property
    def ahead(self) -> str:
        """The sentence on the expected results of a first run; empty after that run."""
        plan, data = self._plan, self.scenario.data
        if self.training.step is not None or self.training.is_kept:
            return ""
        if isinstance(plan, str):
            return plan
        falls = (
            f"Press {self.train_name}. Pure guessing has a loss of {fixed(plan.chance_loss(), 2)}; "
            f"training brings it towards {fixed(plan.minimum_loss(), 2)}"
        )
        if data is None or can_come_right(data.pairs()):
            return f"{falls}, and the {self._what} that come out right rise from 0 %."
        own = f"each has {data.unit}s that no other has"
        return f"{falls}. None of the unseen {self._what} can come right: {own}."
