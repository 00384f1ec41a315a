"""Finds the words in a lesson that its model does not know."""

import ast
from collections.abc import Iterator, Sequence

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side, Vocabulary
from .changes import changed
from .expressions import Check
from .format import Changes, Do, Film, Item, Lesson, Predict, parts_of
from .problem import LessonProblem

# The functions with a word of the output as argument -> the index of this argument.
ASK = {"writes": 0, "probability": 0, "alone": 0}


def unknown_words(lesson: Lesson) -> list[LessonProblem]:
    """Return a problem for each word that the model does not know, with the line of its first use.

    Words that the front matter lists as ``unknown`` are allowed. A model without a vocabulary, such
    as the sandbox, knows all words.
    """
    own = lesson.scenario.own_vocabulary
    if own is None:
        return []
    found: dict[str, LessonProblem] = {}

    def tell(line: int, words: Sequence[str]) -> None:
        for word in words:
            if word not in lesson.unknown and word not in found:
                said = f"the model does not know {word!r}; name it under “unknown” if it is meant"
                found[word] = LessonProblem(lesson.file, line, said)

    tell(lesson.lines.get("scenario", 1), _of_text(lesson.scenario, own))
    for step in lesson.steps:
        for line, item in zip(step.lines, step.items, strict=True):
            for changes in parts_of(item, Changes):
                tell(line, _of_changes(lesson.scenario, changes, own))
            for check in _checks(item):
                tell(line, _of_check(check, own))
        for check in step.live:
            tell(step.line, _of_check(check, own))
    return list(found.values())


def _of_text(scenario: Scenario, own: Vocabulary) -> list[str]:
    sides: tuple[tuple[Side, tuple[str, ...]], ...] = (
        ("source", scenario.source if scenario.settings.encoder_layers else ()),
        ("target", scenario.target if scenario.settings.decoder_layers else ()),
    )
    return [word for side, text in sides for word in text if word and own.row(side, word) is None]


def _of_changes(scenario: Scenario, changes: Changes, own: Vocabulary) -> list[str]:
    if not (changes.text or changes.target):
        return []
    asked = Changes(text=changes.text, target=changes.target)
    try:
        return _of_text(changed(scenario, asked, ForwardPassRunner()), own)
    except ValueError:  # reported elsewhere
        return []


def _of_check(check: Check, own: Vocabulary) -> list[str]:
    """Return the unknown words that a check looks up, or compares with the written word."""
    return [word for word in _asked(check) if word and own.row("target", word) is None]


def _asked(check: Check) -> Iterator[str]:
    for node in ast.walk(ast.parse(check.text.strip(), mode="eval")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASK:
            yield from _texts(node.args[ASK[node.func.id] :][:1])
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_is_word(side) for side in sides):
                yield from _texts(sides)


def _is_word(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "word"


def _texts(nodes: Sequence[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _checks(item: Item) -> Iterator[Check]:
    if isinstance(item, Do):
        yield item.until
    if isinstance(item, Predict):
        yield item.answer
    if isinstance(item, Film):
        yield from item.live
        yield from (scene.when for scene in item.scenes if scene.when is not None)
    if isinstance(item, Do | Predict):
        yield from (hint.when for hint in item.hints if hint.when is not None)
