"""The script of course pages, which makes ``<tinker-former>`` an element of theirs."""

from pathlib import Path
from typing import ClassVar

SCRIPT = Path(__file__).parent / "tinkerformer.js"


class Element:
    """Panel's server hands out the files beside a class that lists them under `_js`."""

    _js: ClassVar[list[Path]] = [SCRIPT]
