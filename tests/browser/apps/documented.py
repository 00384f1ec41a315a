"""The Panel app of the guide `notebooks.md`, read from its text."""

import re
from pathlib import Path

import panel as pn
import tinkerformer as tf

GUIDE = Path(__file__).parents[3] / "assets" / "docs" / "researchers" / "notebooks.md"
pn.extension()
blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
(example,) = [block for block in blocks if "app = pn.Row(" in block]
names: dict[str, object] = {"tf": tf}  # imported in the guide's first example
exec(compile(example, GUIDE.name, "exec"), names)
names["app"].servable()
