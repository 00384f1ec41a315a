"""The resources that a process and its children use (Linux)."""

import contextlib
import os
import time
from pathlib import Path

CALM, PATIENCE = 0.3, 60.0  # seconds: of little work in a row, and until the wait is given up
TICK = os.sysconf("SC_CLK_TCK")


def cpu(pid: int) -> float:
    """Return the processor seconds so far, including those of ended children."""
    return sum(map(_cpu_of_one, _with_children(pid)))


def memory(pid: int) -> float:
    """Return the resident megabytes."""
    kept = [Path(f"/proc/{each}/status").read_text() for each in _with_children(pid)]
    return sum(int(status.partition("VmRSS:")[2].split()[0]) for status in kept) * 1024 / 1e6


def come_to_rest(pid: int) -> None:
    """Wait until a process has done almost no work for a while.

    Raises: TimeoutError: the server does not become idle.
    """
    end = time.monotonic() + PATIENCE
    used = cpu(pid)
    while time.monotonic() < end:
        time.sleep(CALM)
        before, used = used, cpu(pid)
        if used - before < 0.02 * CALM:
            return
    raise TimeoutError("The server does not become idle.")


def _cpu_of_one(pid: int) -> float:
    """Read the process's own clock, which is finer than /proc; read the children's from /proc."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return time.clock_gettime(~pid << 3 | 2) + (int(fields[13]) + int(fields[14])) / TICK


def _with_children(pid: int) -> list[int]:
    """Return a process and all of its descendants."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # the process has just ended
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for one in found:
        found += [each for each, parent in parents.items() if parent == one]
    return found
