"""Compiles Python modules to bytecode when the site is built, so that browsers need not.

Compiling takes more than half of Python's startup time in the browser. Only the Python version that
wrote bytecode can read it, so the runtime itself compiles the modules, in Node.

``compileall`` and ``pyodide py-compile`` cannot do this outside the runtime, because they compile
for the Python version in which they run.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
SECONDS = 300


class NoBytecode(RuntimeError):
    """The modules could not be compiled; the message is the reason."""


def as_bytecode(runtime: Path, archives: Mapping[str, bytes]) -> dict[str, bytes]:
    """Compile archives (name -> zip file) with the runtime of npm's `pyodide` in a folder.

    Return the archives with the modules that a page or a chart needs, and an archive of the others.
    Raise ``NoBytecode`` if Node is missing, or the runtime does not run in it.
    """
    node = shutil.which("node")
    if node is None:
        raise NoBytecode("there is no Node.js to run Python with")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in archives.items():
            (Path(folder) / name).write_bytes(data)
        program = (HERE / "to_bytecode.py").read_text(encoding="utf-8")
        where = runtime.absolute()
        program_of_node = str(HERE / "to_bytecode.js")
        command = [node, program_of_node, where.as_uri(), str(where), folder, program]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired as error:
            raise NoBytecode(f"Python took more than {SECONDS} seconds in Node.js") from error
        if done.returncode != 0:
            raise NoBytecode(f"Python failed in Node.js: {_last_line(done.stderr)}")
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if "Error" in line[:200]]
    return lines[-1][:200] if lines else "it does not say why"
