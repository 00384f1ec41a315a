"""What an address may ask for and what a frame answers, out of what reads and answers it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from markdown_tables import code, table
from tinkerformer.session.address import OTHER_VIEWS, PARTS, EmbedSettings
from tinkerformer.view_model.page_location import VIEWS

_package = importlib.util.find_spec("tinkerformer")
assert _package is not None
assert _package.origin is not None
APP = Path(_package.origin).parent
PARENT = APP / "shell" / "parent_calls.js"
API = APP / "board" / "api.js"


def views() -> str:
    """Everything that can be shown, by its one name."""
    named = [*VIEWS.items(), *OTHER_VIEWS.items()]
    return table(("`view`", "on the page"), [(code(k), label) for k, label in named])


def parts() -> str:
    """What can stand beside a view."""
    declared = EmbedSettings.param
    return table(
        ("`show`", "part", "by default"),
        [
            (code(name), str(declared[name].doc), "shown" if declared[name].default else "")
            for name in PARTS
        ],
    )


def calls() -> str:
    """What a frame answers, with what the interface says of each."""
    told = interface()
    about = told["listen"][1].partition(". Returns ")[0]  # a frame cannot return a function
    told["listen"] = ("(event)", about)
    rows = []
    for name in asked():
        arguments, about = told.get(name, ("(event)", "stops listening to an event"))
        rows.append((code(name + arguments), _sentence(about)))
    return table(("call", "what it does"), rows)


def on_the_page() -> str:
    """What the page itself has beside these."""
    beside = {name: what for name, what in interface().items() if name not in asked()}
    rows = [(code(name + args), _sentence(about)) for name, (args, about) in beside.items()]
    return table(("of `window.tinkerformer`", "what it is"), rows)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def asked() -> list[str]:
    """The names of the calls."""
    found = re.search(r"const CALLS = \{\n(.*?)\n\};", PARENT.read_text("utf-8"), re.DOTALL)
    assert found, "shell/parent_calls.js has no list of calls any more."
    return re.findall(r"^  (\w+): ", found[1], re.MULTILINE)


def interface() -> dict[str, tuple[str, str]]:
    """Name -> its arguments and what is said of it, as the typedef of the interface has them."""
    text = API.read_text("utf-8")
    start = text.index("@typedef {object} Interface")
    part = text[start : text.index("@typedef", start + 1)]
    found = {}
    for each in re.split(r"\n \* @property ", part)[1:]:
        line = " ".join(each.replace("\n *", " ").split())
        kind, rest = _braced(line)
        name, _, about = rest.partition(" ")
        found[name] = (_arguments(kind), about.removesuffix("*").strip())
    return found


def _braced(line: str) -> tuple[str, str]:
    """A type in braces, and what follows it."""
    depth = 0
    for k, sign in enumerate(line):
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return line[1:k], line[k + 1 :].strip()
    raise ValueError(line)


def _arguments(kind: str) -> str:
    """The names of a function's arguments; of what is no function, nothing."""
    if not kind.startswith("("):
        return ""
    depth, inside = 0, ""
    for sign in kind:
        depth += (sign in "({") - (sign in ")}")
        if sign == ")" and not depth:
            break
        inside += sign
    names = re.findall(r"(?:^|, )(\w+\??):", re.sub(r"\{.*?\}|\(.*?\)", "", inside[1:]))
    return f"({', '.join(names)})"


TABLES = {
    "views": views,
    "parts": parts,
    "calls": calls,
    "on-the-page": on_the_page,
}
