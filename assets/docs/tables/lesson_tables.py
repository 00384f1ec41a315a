"""The lessons, and what stands in one, out of what reads them."""

from __future__ import annotations

import inspect

from markdown_tables import code, table
from tinkerformer.lessons import catalog, expressions, format
from tinkerformer.lessons.directives import DIRECTIVES
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.plain_data import fields


def lesson_list() -> str:
    """The lessons that come with the page."""
    lessons = catalog.catalog().lessons.values()
    rows = [(each.title, each.about, f"{each.minutes} min", code(each.name)) for each in lessons]
    return table(("lesson", "what it is about", "", "in addresses"), rows)


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
            "An expression, of the numbers that the step began with.",
        )
    )
    arithmetic = " ".join(map(code, expressions._ARITHMETIC))
    return f"{table(('function', 'what it gives'), rows)}\n\nAs usual: {arithmetic}."


def directives() -> str:
    """What each directive takes."""
    rows = []
    for name, declared in DIRECTIVES.items():
        about = (inspect.getdoc(getattr(format, name.capitalize())) or "").partition("\n\n")[0]
        rows.append((code(name), about, ", ".join(map(code, fields(declared)))))
    return table(("directive", "what it is", "its fields"), rows)


def names() -> str:
    """What stands for an answer in hints."""
    return ", ".join(map(code, sorted(expressions.NAMES)))


TABLES = {
    "lesson-list": lesson_list,
    "lesson-functions": functions,
    "lesson-directives": directives,
    "lesson-names": names,
}
