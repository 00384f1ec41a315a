"""Join small JavaScript files into the one ES module that a Panel component takes."""

from pathlib import Path


def esm(*paths: Path) -> str:
    """The text of the files, in order, as one module.

    A JSComponent's ``_esm`` is a single module and the page has no build step, so the files are
    plain top-level functions and classes that see one another once joined. Only the last one may
    export. Each is headed by its name: a browser's stack trace then shows where a line came from.
    """
    return "\n".join(f"// ---- {path.name}\n{path.read_text(encoding='utf-8')}" for path in paths)
