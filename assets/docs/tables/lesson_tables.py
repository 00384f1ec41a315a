"""The lessons, and what stands in one, out of what reads them."""

from __future__ import annotations

import inspect
import re

from markdown_tables import code, table
from tinkerformer.dares import words
from tinkerformer.lessons import catalog, expressions, format
from tinkerformer.lessons.directives import DIRECTIVES
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.plain_data import fields

# An attribute in a class's docstring, with its lines.
_ATTRIBUTE = re.compile(r"^    (\w+): (.*?)(?=^    \w+: |\Z)", re.MULTILINE | re.DOTALL)


def lesson_list() -> str:
    """The lessons that come with the page."""
    lessons = [each for each in catalog.catalog().lessons.values() if not each.is_dare]
    rows = [(each.title, each.about, f"{each.minutes} min", code(each.name)) for each in lessons]
    return table(("lesson", "what it is about", "", "in addresses"), rows)


def dare_list() -> str:
    """The dares that come with the page."""
    rows = []
    for each in catalog.catalog().lessons.values():
        if each.dare_step is not None:
            dare = each.steps[each.dare_step].dare
            best = f"{words.measure(dare, dare.best)}, by {dare.by}"
            rows.append((each.title, each.about, best, code(f"dare:{each.name}")))
    return table(("dare", "task", "best known", "in addresses"), rows)


def functions() -> str:
    """What a check may ask, with its arguments."""
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
    """What each directive takes."""
    rows = []
    for name, declared in DIRECTIVES.items():
        about = (inspect.getdoc(getattr(format, name.capitalize())) or "").partition("\n\n")[0]
        rows.append((code(name), about, ", ".join(map(code, fields(declared)))))
    return table(("directive", "meaning", "fields"), rows)


def scenes() -> str:
    """What a scene of a film takes."""
    return _fields_of(format.Scene)


def dare() -> str:
    """What a dare takes."""
    return _fields_of(format.Dare)


def _fields_of(kind: type) -> str:
    """The fields of a directive, as the docstring of what is made of it tells them."""
    about = dict(_ATTRIBUTE.findall(inspect.getdoc(kind) or ""))
    rows = [(code(name), " ".join(about[name].replace("``", "`").split())) for name in fields(kind)]
    return table(("field", "meaning"), rows)


def names() -> str:
    """What stands for an answer in hints."""
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
