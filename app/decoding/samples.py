"""Samples texts with several seeds; each step has its distribution before and after filtering."""

from transformer_math.decoding import Sampling, sample

from .greedy import DecodedText, steps_of
from .settings import DecodingSettings, sample_count
from .task import DecodingTask


class Sample(DecodedText):
    """A sampled text; its log-probability refers to the distribution before filtering."""

    seed: int
    temperature: float


def samples(task: DecodingTask, settings: DecodingSettings) -> list[Sample]:
    """Draw one sample per seed."""
    found: list[Sample] = []
    sampling = Sampling(
        settings.temperature,
        settings.top_k,
        settings.top_p if settings.top_p < 1 else None,
    )
    count = sample_count(task.scenario.config.parameter_count())
    for seed in range(settings.seed, settings.seed + count):
        drawn = sample(
            **task.arguments,
            sampling=sampling,
            seed=seed,
        )
        found.append(
            {
                **steps_of(task, drawn.ids.tolist(), drawn.before, drawn.after),
                "finished": drawn.finished,
                "log_probability": drawn.log_probability,
                "seed": seed,
                "temperature": settings.temperature,
            }
        )
    return found
