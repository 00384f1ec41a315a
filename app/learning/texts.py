"""What the page says of a run, and of its settings."""

from __future__ import annotations

from transformer_math.data.pairs import Pairs

from .ablations import ABLATIONS
from .controller import TrainingState
from .settings import TrainingSettings
from .training_run import TrainingRun


def settings_summary(settings: TrainingSettings, of_run: TrainingSettings) -> str:
    """What the settings of the next run are about, and whether they are those of the present."""
    about = ABLATIONS[settings.ablation].about
    return about if settings == of_run else f"{about} Not in use until the run starts again."


def pairs_summary(pairs: Pairs) -> str:
    """What is learned, and what is held out."""
    held_out = len(pairs.held_out_source)
    if pairs.name == "dates":
        return (
            f"It learns from {pairs.train_count:,} days of the years 1000–2999; "
            f"{held_out:,} others are held out."
        )
    return f"It learns from {pairs.train_count:,} pairs of your own; {held_out:,} are held out."


def progress_summary(run: TrainingRun, state: TrainingState) -> str:
    """How fast it is, and how long it takes."""
    if not len(run.metrics):
        return ""
    parts = [f"loss {run.metrics.loss[-1]:.3f}"]
    minimum = run.settings.minimum_loss(run.pairs)
    if minimum:
        parts[0] += f" (label smoothing: never below {minimum:.3f})"
    speed = run.metrics.tokens_per_second
    left = run.seconds_left
    if state is TrainingState.RUNNING:
        parts.append(f"{speed:,.0f} tokens a second")
        if left is not None:
            parts.append(f"{left:.0f} s left")
    return " · ".join(parts)


def status_message(run: TrainingRun, state: TrainingState, ahead: int) -> tuple[str, str]:
    """A sentence about the run, and its tone."""
    if state is TrainingState.DIVERGED:
        return run.problem, "bad"
    if state is TrainingState.WAITING:
        others = "1 training is" if ahead == 1 else f"{ahead} trainings are"
        return f"{others} before yours; it begins by itself.", ""
    last = run.metrics.evaluations[-1] if run.metrics.evaluations else None
    what = "dates" if run.pairs.name == "dates" else "pairs"
    if last is None and run.step:
        return f"The first check on held-out {what} comes at step {run.evaluation_interval:,}.", ""
    if last is None:
        return "The weights are random: what it writes is noise.", ""
    summary = f"{last.correct:,} of {last.total:,} held-out {what} right"
    if state is TrainingState.RUNNING:
        return f"{summary} at step {last.step:,}.", ""
    is_good = state is TrainingState.DONE and last.correct == last.total
    again = " Reset begins anew." if state is TrainingState.DONE else ""
    return f"{summary} after {last.step:,} steps.{again}", "good" if is_good else ""
