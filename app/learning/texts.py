"""What the page says of a run, and of its settings."""

from __future__ import annotations

from typing import Any

from transformer_math.data.pairs import Pairs

from .controller import TrainingState
from .settings import ABLATIONS, NUMBERS, SCHEDULES, WHOLE, LearnSettings, label
from .training_run import TrainingRun

GROUP = "Settings"

HELP = {
    "d_model": "How many numbers stand for a token.",
    "heads": "Into how many attentions d_model is split.",
    "encoder_layers": "Layers that read the source.",
    "decoder_layers": "Layers that write the target.",
    "steps": "How many batches are learned from; the schedule ends with the last.",
    "peak_learning_rate": "The learning rate where it is highest: how far a step goes.",
    "warmup": "Over so many steps the rate rises, while Adam gathers what gradients are like.",
    "schedule": "Up and down: to the highest rate and back to 0. The paper’s falls as 1 over the "
    "square root of the step. Constant stays.",
    "smoothing": "How much of the target goes to the wrong letters; the paper has 0.1. The loss "
    "then cannot reach 0.",
    "clip": "A gradient longer than this is shortened to it; 0 leaves it as it is.",
    "dropout": "The share of numbers dropped after embeddings and sublayers; the paper has 0.1.",
    "batch": "How many pairs a step learns from.",
    "seed": "Draws the first weights and the batches: the same seed, the same run.",
    "ablation": "Take out one piece of the Transformer and see what it was for.",
}
_STEPS = {"d_model": 8, "steps": 100, "warmup": 50, "batch": 32}
_NUMBER_STEPS = {"peak_learning_rate": 0.001, "smoothing": 0.05, "clip": 0.5, "dropout": 0.05}


def fields(settings: LearnSettings, of_run: LearnSettings) -> list[dict[str, Any]]:
    """The form of the next run, as ``Form`` takes it."""
    choices = {
        "schedule": [[name, label_] for name, label_ in SCHEDULES.items()],
        "ablation": [[name, piece.label] for name, piece in ABLATIONS.items()],
    }
    found: list[dict[str, Any]] = []
    for name, sentence in HELP.items():
        field: dict[str, Any] = {
            "name": name,
            "label": "take out" if name == "ablation" else label(name),
            "value": getattr(settings, name),
            "help": sentence,
        }
        if name in choices:
            field |= {"kind": "choice", "options": choices[name]}
        elif name in WHOLE:
            low, high = WHOLE[name]
            step = _STEPS.get(name, 1)
            field |= {"kind": "integer", "minimum": low, "maximum": high, "step": step}
        else:
            low_, high_ = NUMBERS[name]
            step_ = _NUMBER_STEPS[name]
            field |= {"kind": "number", "minimum": low_, "maximum": high_, "step": step_}
        found.append(field)
    found.append({"name": "about", "kind": "note", "label": "", "value": _about(settings, of_run)})
    found.append({"name": "restart", "kind": "action", "label": "Reset with these settings"})
    return [{**field, "group": GROUP, "folded": True} for field in found]


def _about(settings: LearnSettings, of_run: LearnSettings) -> str:
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
