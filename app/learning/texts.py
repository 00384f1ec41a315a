"""Texts about training data, and about the duration of training."""

from __future__ import annotations

import numpy as np

from transformer_math.data.pairs import Pairs, StoredPairs
from transformer_math.data.report import shown_row
from transformer_math.data.texts import Texts
from transformer_math.data.tokenizer import Unit

from ..model.scenario.scenario import Scenario
from . import pace
from .plan import TrainingPlan


def pairs_summary(pairs: Pairs) -> str:
    """Describe the training data, their size, and the number of held-out pairs."""
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
            else (f"{pairs.target_count - 1} French words, blanks redrawn in every step,")
        )
        return (
            f"{pairs.train_count:,} phrases of {words} to learn from; "
            f"{held_out:,} others stay unseen."
        )
    if isinstance(pairs, Texts):
        drawn = "" if pairs.kind == "decoder-only" else "; blanks are redrawn in every step"
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
    """State which unit is the token of the user's data if the user chose none, and why."""
    why = "half of the sources or more have several words"
    why = why if unit == "word" else "most sources are one word"
    return f"Each {unit} is a token, as {why}; choose otherwise beside “by”."


def unseen(pairs: Pairs) -> str:
    """State how many of the user's few pairs or texts are learned, and name a held-out example."""
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
    """Return whether any held-out pair has only words or characters of the training pairs."""
    if not isinstance(pairs, StoredPairs):
        return True
    known = np.ones(len(pairs.held_out_source), bool)
    for learned, unseen_ids in (
        (pairs.source, pairs.held_out_source),
        (pairs.target, pairs.held_out_target),
    ):
        known &= np.isin(unseen_ids, learned).all(axis=1)
    return bool(known.any())


def new_model(scenario: Scenario) -> str:
    """Describe the size of an untrained model, and the duration of its training."""
    shown = pace.seconds(scenario.view.pace, scenario.recipe.steps)
    seconds = duration(max(TrainingPlan.of(scenario).seconds(), shown))
    count = scenario.learned_config.parameter_count()
    return f"A new model of {count:,} parameters learns them in about {seconds}."


def duration(seconds: float) -> str:
    """Format a rounded number of seconds in seconds or minutes."""
    return f"{max(round(seconds), 1)} s" if seconds < 90 else f"{seconds / 60:.0f} min"
