"""``python -m tests.benchmarks.planted.in_server FILE MODULE …``: a server with what FILE plants.

The file is JSON and may change at any time: ``edit``, ``page``, ``html``, ``pass`` and ``step``
are seconds by which an edit, the making of a page, the answer to its request, a pass and a step of
training take longer; ``page_cpu`` are processor seconds, ``page_memory`` megabytes that each page
takes and keeps, ``busy`` is the share of a processor that is used all the time.
"""

from __future__ import annotations

import functools
import importlib
import json
import runpy
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BEAT = 0.05  # seconds
kept: list[bytes] = []


def main() -> None:
    """Plant, and run the module as ``python -m`` does."""
    file, module = Path(sys.argv[1]), sys.argv[2]

    def planted(name: str) -> float:
        try:
            return float(json.loads(file.read_text(encoding="utf-8")).get(name, 0))
        except ValueError:  # it is being written
            return 0.0

    _before("tinkerformer.views.explore.messages", "BoardMessages.on_set", lambda: sleep("edit"))
    for name, moved in (("words", "Words"), ("arrows", "Arrows"), ("landscape", "Landscape")):
        of = f"{moved}Picture._receive"
        _before(f"tinkerformer.views.ideas.{name}", of, lambda: sleep("edit"))
    for name in ("softmax", "mask", "positions", "layer_norm", "stream", "chain"):
        of = f"{name.title().replace('_', '')}Picture._on_message"
        _before(f"tinkerformer.views.ideas.{name}", of, lambda: sleep("edit"))
    _before("tinkerformer.page.served.serve", "create_page", lambda: make())
    _before("tinkerformer.page.served", "serve", lambda: sleep("html"))
    _before("tinkerformer.inference.forward_pass", "ForwardPassRunner.trace", lambda: sleep("pass"))
    _before("transformer_math.training.trainer", "Trainer.__next__", lambda: sleep("step"))

    def sleep(name: str) -> None:
        time.sleep(planted(name))

    def make() -> None:
        sleep("page")
        burn(planted("page_cpu"))
        if megabytes := planted("page_memory"):
            kept.append(b"x" * int(megabytes * 1e6))

    def be_busy() -> None:
        while True:
            burn(BEAT * planted("busy"))
            time.sleep(BEAT * (1 - planted("busy")))

    threading.Thread(target=be_busy, daemon=True).start()
    sys.argv = sys.argv[2:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def burn(seconds: float) -> None:
    """Use the processor for so long."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def _before(module: str, name: str, act: Callable[[], None]) -> None:
    """Do something before each call of a function of a module or a class."""
    owner: Any = importlib.import_module(module)
    *outer, last = name.split(".")
    for each in outer:
        owner = getattr(owner, each)
    function = getattr(owner, last)

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        act()
        return function(*given, **named)

    setattr(owner, last, call)


if __name__ == "__main__":
    main()
