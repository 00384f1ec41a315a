import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinkerformer.explain.labels import cell_in_words, cell_words
from tinkerformer.explain.row_names import row_names
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math.ops.expression import Cell

ROOT = Path(__file__).parents[2]
# Phrases that name a place by a number counted from 1.
FROM_ONE = re.compile(r"\b\d+(st|nd|rd|th)\b|\b(word|number) \d+\b", re.IGNORECASE)
# Such phrases in running text, where a number may also mean a count.
IN_TEXT = re.compile(
    r"\b\d+(st|nd|rd|th) (word|number|position|column)\b|\b(word|number) \d+ of \d+", re.IGNORECASE
)
# Such phrases in code that builds a text: a place with an index plus 1.
WRITTEN = re.compile(
    r"\b(word|position|pos|row|column|number|character|token) (in )?\$?\{[^{}]*\+ 1[^{}]*\}",
    re.IGNORECASE,
)
FIRST = catalog.first("phrases")
TRACE = ForwardPassRunner().trace(FIRST)
PATHS = [path for path in TRACE if TRACE[path].value.ndim and TRACE[path].value.size]


def sources() -> list[Path]:
    found = [
        path
        for folder in ("app", "transformer_math")
        for end in ("*.py", "*.js")
        for path in (ROOT / folder).rglob(end)
    ]
    assert len(found) > 500
    return found


def test_no_code_builds_a_text_that_counts_places_from_1():
    wrong = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in sources()
        for match in WRITTEN.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, wrong


@pytest.mark.parametrize("name", ["lessons", "docs"])
def test_no_lesson_and_no_page_of_the_documentation_counts_words_from_1(name):
    for path in (ROOT / "assets" / name).rglob("*.md"):
        found = IN_TEXT.search(re.sub(r"`[^`]*`", "", path.read_text(encoding="utf-8")))
        assert not found, (path.name, found and found[0])


@given(st.data())
def test_a_cell_has_the_same_numbers_in_all_its_names(data):
    path = data.draw(st.sampled_from(PATHS))
    tensor = TRACE[path]
    index = tuple(data.draw(st.integers(0, size - 1)) for size in tensor.shape)
    words = cell_in_words(FIRST.axis_tokens, Cell(tensor, index))
    assert not FROM_ONE.search(words)
    drawn = tensor.head(index[0]) if tensor.dims[0] == "head" else tensor
    place = index[1:] if tensor.dims[0] == "head" else index
    whole = cell_words(FIRST.axis_tokens, path, drawn, place)
    for said in re.findall(r"position \d+|\b[dkvfz]\d+\b", words):
        assert said in whole, (words, whole)


@pytest.mark.parametrize("scenario", [FIRST, Scenario()])
def test_rows_are_named_by_words_or_by_their_position(scenario):
    for at, name in enumerate(row_names(scenario, 40)):
        assert not FROM_ONE.search(name)
        assert all(int(number) == at for number in re.findall(r"position (\d+)", name))
