"""Real notebooks, each served by a separate process from an empty folder."""

import importlib.util
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.units import free_ports

HOW_TO = "{0} is not installed: pip install -e '.[notebook-test]'."


def needs(*packages: str) -> None:
    """Skip the test if one of these packages is not installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            pytest.skip(HOW_TO.format(package))


@contextmanager
def served(folder: Path, *command: str) -> Iterator[str]:
    """Run a server in a folder and yield its address."""
    [port] = free_ports(1)
    # Without the settings of the user who runs the tests.
    own = {name: str(folder / name) for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    process = subprocess.Popen(
        [sys.executable, "-m", *(part.format(port=port, folder=folder) for part in command)],
        cwd=folder,
        env={**os.environ, **own},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/", timeout=30).close()
                break
            except OSError:
                assert process.poll() is None, f"{command[0]} has ended."
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


def jupyter_notebook(*cells: str) -> str:
    """Return a notebook with these cells, as JSON."""
    made = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for number, source in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps(
        {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    )


def marimo_notebook(*cells: str) -> str:
    """Return a notebook for marimo with these cells; the first one must define ``tf``."""
    lines = ["import marimo", "", "app = marimo.App()", ""]
    for cell in cells:
        names = "tf" if cell is not cells[0] else ""
        given = "(tf,)" if cell is cells[0] else "None"
        body = "".join(f"    {line}\n" for line in cell.splitlines())
        lines.append(f"@app.cell\ndef _({names}):\n{body}    return {given}\n")
    return "\n".join(lines)
