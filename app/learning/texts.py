"""What the page says of a run, and of its settings. Pure: no panel."""

from __future__ import annotations

from typing import Any

from transformer_math.data.pairs import Pairs

from .player import State
from .run import Run
from .settings import BREAKS, NUMBERS, SCHEDULES, WHOLE, LearnSettings, label

GROUP = "Settings"
# Fields side by side where there is room.
FORM = """
.rows { grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr)); gap: 4px 40px; }
details { margin-top: 0; }
.kind-note { grid-column: 1 / -1; }
.kind-note .line { justify-content: flex-start; }
.note { max-width: 90ch; font-size: 14px; }
"""

HELP = {
    "d_model": "How many numbers stand for a token.",
    "heads": "Into how many attentions d_model is split.",
    "encoder_layers": "Layers that read the source.",
    "decoder_layers": "Layers that write the target.",
    "steps": "How many batches are learned from; the schedule ends with the last.",
    "peak": "The learning rate where it is highest: how far a step goes.",
    "warmup": "Over so many steps the rate rises, while Adam gathers what gradients are like.",
    "schedule": "Up and down: to the highest rate and back to 0. The paper’s falls as 1 over the "
    "square root of the step. Constant stays.",
    "smoothing": "How much of the target goes to the wrong letters; the paper has 0.1. The loss "
    "then cannot reach 0.",
    "clip": "A gradient longer than this is shortened to it; 0 leaves it as it is.",
    "dropout": "The share of numbers dropped after embeddings and sublayers; the paper has 0.1.",
    "batch": "How many pairs a step learns from.",
    "seed": "Draws the first weights and the batches: the same seed, the same run.",
    "broken": "Take out one piece of the Transformer and see what it was for.",
}
_STEPS = {"d_model": 8, "steps": 100, "warmup": 50, "batch": 32}
_NUMBER_STEPS = {"peak": 0.001, "smoothing": 0.05, "clip": 0.5, "dropout": 0.05}


def fields(settings: LearnSettings, of_run: LearnSettings) -> list[dict[str, Any]]:
    """The form of the next run, as ``Form`` takes it."""
    choices = {
        "schedule": [[name, said] for name, said in SCHEDULES.items()],
        "broken": [[name, piece.label] for name, piece in BREAKS.items()],
    }
    found: list[dict[str, Any]] = []
    for name, sentence in HELP.items():
        field: dict[str, Any] = {
            "name": name,
            "label": "take out" if name == "broken" else label(name),
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
    about = BREAKS[settings.broken].about
    return about if settings == of_run else f"{about} Not in use until the run starts again."


def of_pairs(pairs: Pairs) -> str:
    """What is learned, and what is held out."""
    held_out = len(pairs.held_out_source)
    if pairs.name == "dates":
        return (
            f"It learns from {pairs.train_count:,} days of the years 1000–2999; "
            f"{held_out:,} others are held out."
        )
    return f"It learns from {pairs.train_count:,} pairs of your own; {held_out:,} are held out."


def facts(run: Run, state: State) -> str:
    """How fast it is, and how long it takes."""
    if not len(run.history):
        return ""
    said = [f"loss {run.history.loss[-1]:.3f}"]
    least = run.settings.least_loss(run.pairs)
    if least:
        said[0] += f" (label smoothing: never below {least:.3f})"
    speed = run.history.tokens_per_second
    left = run.seconds_left
    if state is State.RUNNING:
        said.append(f"{speed:,.0f} tokens a second")
        if left is not None:
            said.append(f"{left:.0f} s left")
    return " · ".join(said)


def message(run: Run, state: State, before: int) -> tuple[str, str]:
    """A sentence about the run, and its tone."""
    if state is State.DIVERGED:
        return run.problem, "bad"
    if state is State.WAITING:
        came = "1 training is" if before == 1 else f"{before} trainings are"
        return f"{came} before yours; it begins by itself.", ""
    check = run.history.checks[-1] if run.history.checks else None
    if check is None and run.step:
        return f"{run.step:,} steps were taken before; the charts go on from there.", ""
    if check is None:
        return "The weights are random: what it writes is noise.", ""
    what = "dates" if run.pairs.name == "dates" else "pairs"
    said = f"{check.right:,} of {check.of:,} held-out {what} right"
    if state is State.RUNNING:
        return f"{said} at step {check.step:,}.", ""
    is_good = state is State.DONE and check.right == check.of
    again = " Reset begins anew." if state is State.DONE else ""
    return f"{said} after {check.step:,} steps.{again}", "good" if is_good else ""
