"""Tables of the lessons and of their format, from the code that reads them."""

from __future__ import annotations

import inspect
import re

from markdown_tables import code, table
from tinkerformer.dares import words
from tinkerformer.lessons import catalog, expressions, format
from tinkerformer.lessons.directives import DIRECTIVES
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.plain_data import fields

# An attribute in the docstring of a class, with its lines.
_ATTRIBUTE = re.compile(r"^    (\w+): (.*?)(?=^    \w+: |\Z)", re.MULTILINE | re.DOTALL)


def lesson_list() -> str:
    """Return the lessons of the page."""
    lessons = [each for each in catalog.catalog().lessons.values() if not each.is_dare]
    rows = [(each.title, each.about, f"{each.minutes} min", code(each.name)) for each in lessons]
    return table(("lesson", "what it is about", "", "in addresses"), rows)


def dare_list() -> str:
    """Return the dares of the page."""
    rows = []
    for each in catalog.catalog().lessons.values():
        if each.dare_step is not None:
            dare = each.steps[each.dare_step].dare
            best = f"{words.measure(dare, dare.best)}, by {dare.by}"
            rows.append((each.title, each.about, best, code(f"dare:{each.name}")))
    return table(("dare", "task", "best known", "in addresses"), rows)


def functions() -> str:
    """Return the functions of checks, with their arguments."""
    rows = []
    for name in expressions.FUNCTIONS:
        method = getattr(LiveNumbers, f"_{name}")
        least, _ = expressions.FUNCTIONS[name]
        names = [each for each in inspect.signature(method).parameters if each != "self"]
        written = ", ".join(names[:least]) + "".join(f"[, {each}]" for each in names[least:])
        about = " ".join((inspect.getdoc(method) or "").replace("``", "`").split())
        rows.append((code(f"{name}({written.removeprefix(', ')})".replace("([, ", "([")), about))
    rows.append(
        (
            code(f"{expressions.AT_START}(…)"),
            "The value of an expression for the numbers at the beginning of the step.",
        )
    )
    arithmetic = " ".join(map(code, expressions._ARITHMETIC))
    return f"{table(('function', 'value'), rows)}\n\nAlso {arithmetic}."


def directives() -> str:
    """Return the fields of each directive."""
    rows = []
    for name, declared in DIRECTIVES.items():
        about = (inspect.getdoc(getattr(format, name.capitalize())) or "").partition("\n\n")[0]
        rows.append((code(name), about, ", ".join(map(code, fields(declared)))))
    return table(("directive", "meaning", "fields"), rows)


def scenes() -> str:
    """Return the fields of a scene of a film."""
    return _fields_of(format.Scene)


def dare() -> str:
    """Return the fields of a dare."""
    return _fields_of(format.Dare)


def _fields_of(kind: type) -> str:
    """Return the fields of a directive, as documented in the class that it becomes."""
    about = dict(_ATTRIBUTE.findall(inspect.getdoc(kind) or ""))
    rows = [(code(name), " ".join(about[name].replace("``", "`").split())) for name in fields(kind)]
    return table(("field", "meaning"), rows)


def names() -> str:
    """Return the variables for an answer in hints."""
    return ", ".join(map(code, sorted(expressions.NAMES)))


TABLES = {
    "lesson-list": lesson_list,
    "lesson-functions": functions,
    "lesson-directives": directives,
    "lesson-names": names,
    "lesson-scenes": scenes,
    "lesson-dare": dare,
    "dare-list": dare_list,
}
