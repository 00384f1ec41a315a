"""Tables of address options and frame calls, from the code that reads and answers them."""

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
    """Return all views, by name."""
    named = [*VIEWS.items(), *OTHER_VIEWS.items()]
    return table(("`view`", "on the page"), [(code(k), label) for k, label in named])


def parts() -> str:
    """Return the parts beside a view."""
    declared = EmbedSettings.param
    return table(
        ("`show`", "part", "by default"),
        [
            (code(name), str(declared[name].doc), "shown" if declared[name].default else "")
            for name in PARTS
        ],
    )


def calls() -> str:
    """Return the calls that a frame answers, as the interface describes them."""
    told = interface()
    about = told["listen"][1].partition(". Returns ")[0]  # a frame cannot return a function
    told["listen"] = ("(event)", about)
    rows = []
    for name in asked():
        arguments, about = told.get(name, ("(event)", "stops listening to an event"))
        rows.append((code(name + arguments), _sentence(about)))
    return table(("call", "what it does"), rows)


def on_the_page() -> str:
    """Return the calls that only the page itself has."""
    beside = {name: what for name, what in interface().items() if name not in asked()}
    rows = [(code(name + args), _sentence(about)) for name, (args, about) in beside.items()]
    return table(("of `window.tinkerformer`", "what it is"), rows)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def asked() -> list[str]:
    """Return the names of the calls."""
    found = re.search(r"const CALLS = \{\n(.*?)\n\};", PARENT.read_text("utf-8"), re.DOTALL)
    assert found, "shell/parent_calls.js has no list of calls any more."
    return re.findall(r"^  (\w+): ", found[1], re.MULTILINE)


def interface() -> dict[str, tuple[str, str]]:
    """Return name -> arguments and description, from the typedef of the interface."""
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
    """Return a type in braces, and the text after it."""
    depth = 0
    for k, sign in enumerate(line):
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return line[1:k], line[k + 1 :].strip()
    raise ValueError(line)


def _arguments(kind: str) -> str:
    """Return the names of a function's arguments; empty for other types."""
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
