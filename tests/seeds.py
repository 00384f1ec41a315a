"""Counts the seeds that learn, here and with other last bits, for the documentation.

`python -m tests.seeds` trains the page's model of phrases from the seeds 0 to 99, on the machine as
it is and with each of `--last-bits`. It prints from which seeds all held-out pairs are right, and
how clear the cross-attention is. With `--without positions`, the model lacks this part, as after a
press on a button of the page.
"""

# ruff: noqa: E402 -- last bits are changed before the mathematics is imported

import argparse
import functools
import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each process has a core to itself

from tests.last_bits import LastBits

LAST_BITS = "TINKERFORMER_SEEDS_LAST_BITS"  # the environment of a training process
if LAST_BITS in os.environ:  # before the mathematics is imported
    LastBits(int(os.environ[LAST_BITS]))

import numpy as np
from tinkerformer.files import catalog
from tinkerformer.learning.experiments import EXPERIMENTS, with_experiment
from tinkerformer.learning.plan import TrainingPlan
from tinkerformer.learning.training_run import TrainingRun

from transformer_math.data.phrases import ENGLISH, alignment

READ = 200  # held-out phrases whose cross-attention is examined


class Outcome(NamedTuple):
    """A training run from one seed.

    Attributes:
        seed: the seed of weights and batches.
        right: the number of right held-out pairs, of ``total``.
        found: of the words of 200 held-out phrases, the share whose English word has the largest
            weight in the head where most have it; None for other data.
        weight: the mean of that head's weights on those English words.
    """

    seed: int
    right: int
    total: int
    found: float | None = None
    weight: float | None = None


def trained(data: str, without: str, seed: int) -> Outcome:
    """Train the page's model of these data with its own settings, and examine it."""
    whole = catalog.first(data)
    scenario = with_experiment(whole.with_setting("seed", seed), without, whole)
    run = TrainingRun(TrainingPlan.of(scenario))
    while run.can_continue:
        run.advance(seconds=60)
    counted = run.evaluate()
    outcome = Outcome(seed, counted.correct, counted.total)
    return outcome if data != "phrases" else outcome._replace(**_clarity(run))


def _clarity(run: TrainingRun) -> dict[str, float]:
    source, target = run.pairs.held_out_source[:READ], run.pairs.held_out_target[:READ]
    trace = run.trainer.model(source, target[:, :-1])
    weights = trace["decoder.0.cross_attn.weights"].value  # (phrase, head, French, English)
    aligned = [alignment(ENGLISH.decode(row)) for row in source.tolist()]
    each = [w[:, np.arange(len(at))] for w, at in zip(weights, aligned, strict=True)]
    words = np.concatenate(each, axis=1)  # (head, French word, English word)
    own = np.concatenate([np.asarray(at) for at in aligned])
    found = (words.argmax(-1) == own).mean(-1)
    weight = words[:, np.arange(len(own)), own].mean(-1)
    head = max(range(len(found)), key=lambda head: (found[head], weight[head]))
    return {"found": float(found[head]), "weight": float(weight[head])}


def outcomes(options: argparse.Namespace, last_bits: int | None) -> Iterator[Outcome]:
    """Train from all seeds, each in a process with the last bits changed by ``last_bits``."""
    fresh = multiprocessing.get_context("spawn")
    train = functools.partial(trained, options.data, options.without)
    os.environ.pop(LAST_BITS, None)
    if last_bits is not None:
        os.environ[LAST_BITS] = str(last_bits)
    with ProcessPoolExecutor(options.jobs, mp_context=fresh) as pool:
        yield from pool.map(train, options.seeds)


def report(options: argparse.Namespace) -> None:
    """Print the result of each seed, and the seeds from which all is right in every run."""
    robust, clear = set(options.seeds), set(options.seeds)
    for last_bits in (None, *options.last_bits):
        found = []
        print("the machine as it is" if last_bits is None else f"--last-bits={last_bits}")
        for one in outcomes(options, last_bits):
            found.append(one)
            words = "" if one.found is None else f"; words {one.found:.1%}, {one.weight:.3f}"
            print(f"  seed {one.seed}: {one.right} of {one.total} right{words}", flush=True)
        right = {one.seed for one in found if one.right == one.total}
        print(f"  all right from {len(right)} of {len(found)} seeds")
        robust &= right
        clear &= {one.seed for one in found if one.found == 1}
    print(f"all right everywhere: {len(robust)} of {len(options.seeds)}: {listed(robust)}")
    if clear:
        print(f"every word found by one head everywhere: {listed(clear)}")


def listed(seeds: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(seeds)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.seeds", description=__doc__)
    parser.add_argument("--data", choices=("phrases", "dates"), default="phrases")
    pieces = ("none", *(experiment.name for experiment in EXPERIMENTS))
    parser.add_argument("--without", choices=pieces, default="none", help="a piece to take out")
    parser.add_argument("--seeds", type=_range, default=range(100), metavar="FIRST-LAST")
    parser.add_argument("--last-bits", type=int, nargs="*", default=[1], metavar="SEED")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes side by side")
    return parser


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    report(_parser().parse_args())
