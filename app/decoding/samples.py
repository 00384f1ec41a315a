"""Sampling as the page shows it: several seeds, each step before and after filtering."""

from __future__ import annotations

from typing import Any

from transformer_math.decoding import sample

from .greedy import written
from .settings import DecodeSettings, sample_count
from .task import DecodingTask


def samples(task: DecodingTask, settings: DecodeSettings) -> list[dict[str, Any]]:
    """A sample for each of several seeds; see ``greedy`` for what each holds, and its ``seed``.

    Its log-probability is that under the model's own distribution, before filtering.
    """
    found = []
    count = sample_count(task.scenario.config.parameter_count())
    for seed in range(settings.seed, settings.seed + count):
        drawn = sample(
            **task.arguments,
            temperature=settings.temperature,
            top_k=settings.top_k or None,
            top_p=settings.top_p if settings.top_p < 1 else None,
            seed=seed,
        )
        found.append(
            {
                **written(task, drawn.ids.tolist(), drawn.before, drawn.after),
                "finished": drawn.finished,
                "log_probability": drawn.log_probability,
                "seed": seed,
            }
        )
    return found
