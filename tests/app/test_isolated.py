import json

import pytest
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.shell import create_page
from tinkerformer.transport.port import PortPage
from tinkerformer.typed_text import isolated, quoted
from tinkerformer.view_model.page_location import VIEWS

OVERRIDE, ISOLATE, END = "\N{RIGHT-TO-LEFT OVERRIDE}", "\u2068", "\u2069"
SHALOM = "שלום"


@pytest.mark.parametrize("word", ["cat", "été", "日本", "a-1", "", "∅", "␣"])
def test_most_words_remain_unchanged(word):
    assert isolated(word) == word


@pytest.mark.parametrize("word", [SHALOM, f"a{OVERRIDE}b", "\u2067", "كلمة", f"{SHALOM} 3"])
def test_words_with_direction_marks_are_isolated(word):
    assert isolated(word) == f"{ISOLATE}{word}{END}"
    assert quoted(word) == f"“{ISOLATE}{word}{END}”"


def test_marks_in_a_word_cannot_end_its_isolation():
    assert isolated(f"a{END}{OVERRIDE}b") == f"{ISOLATE}a{OVERRIDE}b{END}"


WORD = f"a{OVERRIDE}b"


def texts(said):
    """Yield all texts in a message to a page."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, list):
        for each in said:
            yield from texts(each)
    elif isinstance(said, dict):
        for name, each in said.items():
            yield from texts(json.loads(each) if name == "json" else each)


def test_every_sentence_of_the_page_isolates_such_a_word():
    said = []
    port = PortPage(lambda text, _: said.extend(json.loads(text)))
    page = create_page(port.session, scenario=Scenario())
    port.place(page.regions)
    state = page.state
    with port.turn():
        state.change(state.scenario.with_tokens("source", ["the", WORD]))
    with port.turn():
        state.baseline = state.scenario
        state.change(state.scenario.with_tokens("source", [WORD, "cat"]))
    for view in VIEWS:
        with port.turn():
            state.go("view", view)
    for path in (
        "source.embedding",
        "encoder.0.self_attn.head.0.weights",
        "target.mask",
        "output.probabilities",
    ):
        with port.turn():
            state.selection = CellAddress(path, 0, 0)
    found = {text for text in texts(said) if WORD in text and text != WORD}
    assert len(found) > 15
    assert not [text for text in found if WORD in text.replace(isolated(WORD), "")]
