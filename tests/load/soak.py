"""Random use by several visitors, and at the end every number against a computation of its own."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

import numpy as np
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.inference.writing import with_written_target
from tinkerformer.matrices.values import matrix_values
from tinkerformer.session.session_json import from_json

from tests.benchmarks.table import print_row

from .edits import closed, opened
from .server import Server
from .visitor import Visitor

PAUSE = 0.2  # seconds between what a visitor does, in the mean
TOLERANCE = 1e-5  # of a number: frames are float32
WORDS = ("the", "black", "white", "cat", "dog", "sat", "sleeps", "small", "zebra", "")
VIEWS = ("whole", "stages", "attention", "decode", "learn", "experiments", "positions", "cost")
MOST_COMPARED = 20_000  # cells of a matrix


async def soak(server: Server, sessions: int, seconds: float) -> list[str]:
    """Let so many visitors do what comes to their minds; returns what was wrong at the end."""
    await closed(await opened(server, 2))
    visitors = await opened(server, sessions)
    start, memory = time.perf_counter(), [server.memory()]
    done = asyncio.gather(
        *[_use(visitor, start + seconds, k) for k, visitor in enumerate(visitors)]
    )
    while not done.done():
        await asyncio.sleep(max(1.0, seconds / 30))
        memory.append(server.memory())
    count = sum(await done)
    wrong = [sentence for visitor in visitors for sentence in await _compared(visitor)]
    await closed(visitors)
    quarter = max(1, len(memory) // 4)
    print_row(f"operations in {seconds:.0f} s by {sessions} sessions", str(count))
    print_row("  memory, by quarters of the time", " / ".join(_means(memory, quarter)), "MB, flat")
    print_row("  end states that differ from a fresh computation", str(len(wrong)), "0")
    return wrong


def _means(memory: list[float], quarter: int) -> list[str]:
    parts = [memory[k : k + quarter] for k in range(0, len(memory), quarter)][:4]
    return [f"{sum(part) / len(part):.0f}" for part in parts]


async def _use(visitor: Visitor, end: float, seed: int) -> int:
    """Operations by chance until the end."""
    chance, count = random.Random(seed), 0
    while time.perf_counter() < end:
        await chance.choice(OPERATIONS)(visitor, chance)
        await visitor.answered()  # a person looks at what has come of it
        count += 1
        await asyncio.sleep(chance.expovariate(1 / PAUSE))
    return count


async def _edit(visitor: Visitor, chance: random.Random) -> None:
    """A number of the model, or one that it computed."""
    matrix = chance.choice([m for m in visitor.manifest["matrices"] if not m.get("fixed")])
    cell = _cell(matrix, chance)
    await visitor.tell("set", **cell, value=chance.gauss(0, 2))


async def _restore(visitor: Visitor, chance: random.Random) -> None:
    matrix = chance.choice(visitor.manifest["matrices"])
    await visitor.tell("restore", **_cell(matrix, chance))


async def _select(visitor: Visitor, chance: random.Random) -> None:
    matrix = chance.choice(visitor.manifest["matrices"])
    await visitor.tell(chance.choice(("select", "hover")), **_cell(matrix, chance))


async def _oscillate(visitor: Visitor, chance: random.Random) -> None:
    await visitor.tell("oscillate", on=chance.random() < 0.5)


async def _history(visitor: Visitor, chance: random.Random) -> None:
    await visitor.tell(chance.choice(("undo", "redo")))


async def _look(visitor: Visitor, chance: random.Random) -> None:
    await visitor.tell("place", name="view", value=chance.choice(VIEWS))


async def _write(visitor: Visitor, chance: random.Random) -> None:
    tokens = chance.choices(WORDS, k=chance.randint(1, 7))
    await visitor.tell("tokens", "Tokens", name="source", tokens=tokens)


async def _switch(visitor: Visitor, chance: random.Random) -> None:
    await visitor.tell("change", "training", name="training", value=chance.random() < 0.5)


async def _resize(visitor: Visitor, chance: random.Random) -> None:
    name, values = chance.choice((("d_model", (4, 8, 12)), ("encoder_layers", (0, 1, 2))))
    await visitor.tell("change", name, name=name, value=chance.choice(values))


async def _pin(visitor: Visitor, _: random.Random) -> None:
    await visitor.tell("change", "pin", name="pin", value=None)


async def _see(visitor: Visitor, _: random.Random) -> None:
    await visitor.see_all()


Operation = Callable[[Visitor, random.Random], Awaitable[None]]
# As often as a student does them, more or less.
OPERATIONS: tuple[Operation, ...] = (
    *(_edit,) * 6,
    *(_select,) * 4,
    *(_history,) * 3,
    *(_look,) * 2,
    _restore,
    _oscillate,
    _write,
    _switch,
    _resize,
    _pin,
    _see,
)


def _cell(matrix: dict[str, object], chance: random.Random) -> dict[str, object]:
    rows, columns = int(str(matrix["rows"])), int(str(matrix["cols"]))
    return {
        "path": matrix["path"],
        "i": chance.randrange(max(1, rows)),
        "j": chance.randrange(max(1, columns)),
    }


async def _compared(visitor: Visitor) -> list[str]:
    """What differs between a visitor's screen and the mathematics, a sentence each."""
    await visitor.tell("oscillate", on=False)
    await visitor.tell("place", name="view", value="stages")  # of which each matrix is a part
    await visitor.settle()
    await visitor.see_all()
    await visitor.settle()
    runner = ForwardPassRunner()
    scenario = with_written_target(from_json(visitor.scenario).scenario, runner)
    trace = runner.trace(scenario)
    wrong = []
    for matrix in visitor.manifest["matrices"]:
        shown = visitor.values.get(matrix["path"])
        if matrix["path"].startswith("@"):
            continue  # a window of a matrix that is not there
        if shown is None:
            wrong.append(f"{matrix['path']} was never sent.")
        elif shown.shape != (matrix["rows"], matrix["cols"]):
            wrong.append(f"{matrix['path']} is of the shape {shown.shape}.")
        elif shown.size <= MOST_COMPARED:
            expected, _ = matrix_values(scenario, trace, matrix["path"])
            expected = np.asarray(expected, float)
            near = np.isclose(shown, expected, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
            if not near.all():
                wrong.append(f"{matrix['path']} differs in {int((~near).sum())} cells.")
    return wrong
