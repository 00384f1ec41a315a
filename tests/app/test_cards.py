import asyncio
import base64
import html
import io
import json
import re
import zlib
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image
from tinkerformer.cards import card as card_module
from tinkerformer.cards import cards as cards_module
from tinkerformer.cards.card import GENERAL, MAX_CODE, Card, card_of
from tinkerformer.cards.cards import Cards
from tinkerformer.cards.limits import Budget, LastUsed
from tinkerformer.cards.picture import HEIGHT, WIDTH, can_be_drawn, drawn, general
from tinkerformer.cards.tags import tags, title_of
from tinkerformer.dares.checking import attempt_of
from tinkerformer.files import catalog
from tinkerformer.lessons.catalog import catalog as lessons
from tinkerformer.lessons.changes import begun
from tinkerformer.lessons.format import Lesson
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario import model_names
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.lesson_progress import LessonProgress
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.session.title import NAME
from tinkerformer.transport.hosting.cards import _address

from tests.app.served import COMMAND, OF_PANEL, answer, serving

FIRST = catalog.first(model_names.PHRASES)
BLACK = FIRST.source_vocabulary.index("black")
SENTENCE = ("the", "black", "cat", "sat", "on", "the", "mat")


def code_of(scenario: Scenario, baseline: Scenario | None = None) -> str:
    return encode(SavedSession(scenario, baseline=baseline))


def raw(data: Any) -> str:
    """Return the code of a link, as written without the page."""
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def moved(value: float = -3.0) -> Scenario:
    return FIRST.with_value("source.W_e", (BLACK, 1), value)


# -- text of a card -------------------------------------------------------------------------------


def test_a_card_has_both_sentences_and_the_size_of_the_model():
    card = card_of(code_of(FIRST))
    assert card.title == "the black cat sat on the mat → le chat noir est assis sur le tapis"
    assert card.read == SENTENCE
    assert card.written == card.before
    assert card.about == f"A Transformer of 2,136 numbers. {GENERAL}"


def test_the_card_of_another_text_has_the_words_that_the_model_writes_for_it():
    card = card_of(code_of(FIRST.with_tokens("source", ("the", "black", "dog", *SENTENCE[3:]))))
    assert card.title == "the black dog sat on the mat → le chien noir est assis sur le tapis"
    # Letters have no spaces between them.
    assert card_of(code_of(catalog.first(model_names.DATES))).title.startswith("1845-01-05 → ")


def test_a_moved_number_is_named_with_the_words_that_it_changes():
    card = card_of(code_of(moved()))
    assert card.news.startswith("1 of 2,136 numbers moved: ")
    assert "noir" in card.news
    assert "noir" in card.before
    assert "noir" not in card.written
    assert "noir" not in card.title.partition("→")[2]


def test_a_replaced_word_is_named_beside_the_new_word():
    at = FIRST.target.index("noir") - 1
    grand = FIRST.target_vocabulary.index("grand")
    card = card_of(code_of(FIRST.with_value("output.logits", (at, grand), 100.0)))
    assert card.news.startswith("1 computed number set: noir → grand")
    assert card.written[: at + 1] == ("le", "chat", "grand")


def test_changes_are_counted_by_kind():
    scenario = moved(0.01).with_value("source.embedding", (0, 0), 0.5)
    assert card_of(code_of(scenario)).news == "1 of 2,136 numbers moved, 1 computed number set"


def test_the_written_words_are_compared_with_those_of_a_pinned_scenario():
    card = card_of(code_of(FIRST, baseline=moved()))
    assert card.before == card_of(code_of(moved())).written
    assert "noir" in card.news


@pytest.mark.parametrize("name", model_names.NAMES)
def test_every_model_has_a_card(name):
    card = card_of(code_of(catalog.first(name)))
    assert card.title
    assert "numbers" in card.about
    assert drawn(card)


def dared(scenario: Scenario, name: str = "white-cat") -> str:
    """Return the card's text about an attempt at a dare."""
    lesson = lessons().lessons[name]
    progress = LessonProgress(name, lesson.dare_step)
    return card_of(encode(SavedSession(scenario, lesson=progress))).news


def test_the_score_of_an_attempt_at_a_dare_is_computed():
    lesson = lessons().lessons["white-cat"]
    given = begun(lesson, lesson.dare_step, ForwardPassRunner())
    done = attempt_of(lesson.steps[lesson.dare_step].dare, given)
    assert re.fullmatch("A dare: A white cat, done with 0.23[0-9]; best known 0.235", dared(done))
    assert dared(given) == "A dare: A white cat; best known 0.235"
    refused = given.with_value("source.W_e", (BLACK, 1), 3).with_value("source.W_e", (BLACK, 2), 3)
    assert dared(refused) == "A dare: A white cat; best known 0.235"
    slow = next(name for name, each in lessons().lessons.items() if is_training(each))
    assert dared(given, slow) == f"A dare: {lessons().lessons[slow].title}"


def is_training(lesson: Lesson) -> bool:
    return lesson.is_dare and lesson.steps[0].dare.may == "training"


def test_a_card_of_an_untrained_model_states_only_its_input():
    card = card_of(raw({"version": 1, "model": "phrases", "trained": 300}))
    assert card.title == " ".join(SENTENCE)
    assert card.written == ()
    assert card.news == "Trained here for 300 steps"


def test_markup_and_line_breaks_remain_text():
    card = card_of(
        raw({"version": 1, "source": ["<script>alert(1)</script>"[:24], 'a"\n\u2028', "\u202eX"]})
    )
    assert "<script>" in card.title
    assert "\n" not in card.title
    assert "\u2028" not in card.title
    assert "\u202e" not in card.title


@pytest.mark.parametrize(
    "code",
    [
        "",
        "abc",
        "<script>",
        "é",
        "A" * (MAX_CODE + 1),
        raw([]),
        raw({"version": 2}),
        raw({"version": 1, "model": "own", "pairs": {"text": "x" * 200_000, "unit": "word"}}),
        raw({"version": 1, "model": "file"}),
        raw({"version": 1, "model": "served"}),
        raw({"version": 1, "source": ["x" * 100]}),
        raw({"version": 1, "model": "phrases", "edits": {"source.W_e": [["black", 0, 1e99]]}}),
        raw({"version": 1, "settings": {"d_model": 10**9}}),
    ],
)
def test_every_invalid_link_has_the_general_card(code):
    assert card_of(code) == Card()


def test_a_model_that_needs_too_many_passes_is_not_run(monkeypatch):
    monkeypatch.setattr(card_module, "MAX_PASSES", 0)
    card = card_of(code_of(FIRST))
    assert card.title == " ".join(SENTENCE)
    assert card.written == ()


def test_a_large_model_is_not_run(monkeypatch):
    monkeypatch.setattr(
        card_module.ForwardPassRunner, "trace", lambda *_: pytest.fail("A pass was computed.")
    )
    big = card_of(raw({"version": 1, "model": "paper-big"}))
    assert (big.title, big.numbers) == ("the cat sat on the mat → le chat", ())
    monkeypatch.setattr(card_module, "MOST_COST", 1_000_000)
    dates = card_of(code_of(catalog.first(model_names.DATES)))
    assert (dates.title, dates.written) == ("1845-01-05", ())


# -- limits ---------------------------------------------------------------------------------------


def test_links_are_limited_per_minute_and_the_last_cards_are_kept():
    now = 0.0
    cards = Cards(lambda: now)
    known = code_of(FIRST)
    assert not cards.card(known).is_general
    for k in range(cards_module.CARDS_A_MINUTE - 1):
        cards.card(f"nothing{k}")
    assert cards.card(code_of(moved())).is_general
    assert not cards.card(known).is_general
    now = 61.0
    assert not cards.card(code_of(moved())).is_general


async def test_pictures_are_limited_at_once_and_per_minute():
    drawing: list[asyncio.Future[bytes]] = []

    async def draw(_card: Card) -> bytes:
        drawing.append(asyncio.get_running_loop().create_future())
        return await drawing[-1]

    cards = Cards(lambda: 0.0)
    codes = [code_of(moved(k / 10)) for k in range(cards_module.MOST_AT_ONCE + 1)]
    asked = [asyncio.ensure_future(cards.picture(code, draw)) for code in codes]
    while len(drawing) < cards_module.MOST_AT_ONCE or not asked[-1].done():
        await asyncio.sleep(0)
    assert asked[-1].result() is general()
    for each in drawing:
        each.set_result(b"drawn")
    assert await asked[0] == b"drawn"
    await asyncio.gather(*asked)
    assert await cards.picture(codes[0], draw) == b"drawn"  # from the cache
    assert len(drawing) == cards_module.MOST_AT_ONCE


def test_a_budget_is_renewed_each_minute_and_the_least_recently_used_value_is_dropped():
    now = 0.0
    budget = Budget(2, lambda: now)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    now = 60.0
    assert budget.spend()
    kept: LastUsed[str, int] = LastUsed(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert [kept.get(name) for name in "abc"] == [1, None, 3]
    assert len(kept) == 2


# -- pictures -------------------------------------------------------------------------------------


def size_of(picture: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(picture)) as image:
        assert image.format == "PNG"
        return image.size


def test_a_picture_has_a_fixed_size_and_shows_the_text_of_its_card():
    cards = [card_of(code_of(each)) for each in (FIRST, moved(), catalog.first(model_names.BLANKS))]
    pictures = [drawn(card) for card in cards]
    assert {size_of(picture) for picture in pictures} == {(WIDTH, HEIGHT)}
    assert len({*pictures, general()}) == 4
    assert max(map(len, pictures)) < 60_000
    assert drawn(cards[0]) == pictures[0]


def test_letters_with_accents_differ_from_letters_without():
    def picture(word: str) -> bytes:
        return drawn(Card("x", read=(word,)))

    words = ("e", "é", "è", "ç", "œ", "ž", "λ", "ж")
    assert len({picture(word) for word in words}) == len(words)
    assert picture("e\u0301") == picture("é")
    assert can_be_drawn(Card("x", read=words))
    assert not can_be_drawn(Card("x", read=("猫",)))


def test_the_longest_sentences_fit_into_the_picture():
    long = raw({"version": 1, "source": ["verylongword" * 2] * 64, "target": ["mot"] * 64})
    card = card_of(long)
    assert len(card.title) < 200
    assert size_of(drawn(card)) == (WIDTH, HEIGHT)
    for letters in (1, 24):
        for words in range(1, 64, 7):
            text = ("W" * letters,) * words
            assert drawn(Card("x", "news " * 90, text, text, ("i",)))


# -- tags of the page -----------------------------------------------------------------------------


def test_a_tag_without_text_is_omitted():
    names = {tag.name for tag in tags(Card(), "", "")}
    assert "og:title" in names
    assert not {"og:url", "og:image"} & names
    assert title_of(Card()) == NAME
    assert title_of(Card("a → b")) == f"a → b · {NAME}"


@pytest.fixture(scope="module", params=[COMMAND, OF_PANEL], ids=["tinkerformer", "panel serve"])
def port(request):
    behind = "--behind-proxy" if request.param == COMMAND else "--use-xheaders"
    prefix = ("--prefix", "course") if request.param == OF_PANEL else ()
    allowed = ("--allow-websocket-origin", "school.example.org")
    with serving(behind, *allowed, *prefix, command=request.param) as found:
        yield SimpleNamespace(port=found, prefix="/course" if prefix else "")


def head(port: SimpleNamespace, query: str, headers: dict[str, str] | None = None):
    """Return the title, and the text of each tag by its name."""
    status, text, _ = answer(port.port, f"{port.prefix}/main{query}", headers)
    assert status == 200
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', text)
    title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
    assert title is not None
    return html.unescape(title[1]), {name: html.unescape(said) for name, said in found}


PROXY = {"Host": "school.example.org", "X-Forwarded-Proto": "https"}


def test_the_tags_of_a_page_describe_its_link(port):
    code = code_of(moved())
    title, found = head(port, f"?s={code}", PROXY)
    card = card_of(code)
    assert title == f"{card.title} · Tinkerformer"
    assert found["og:title"] == card.title
    assert found["og:description"] == found["description"] == card.about
    place = f"https://school.example.org{port.prefix}"
    assert found["og:url"] == f"{place}/main?s={code}"
    assert found["og:image"] == f"{place}/card.png?s={code}"


def test_a_page_without_a_link_has_the_general_tags(port):
    for query in ("", "?s=", "?s=abc", "?s=%00%ff", f"?s={'A' * 3000}", "?view=attention"):
        title, found = head(port, query, PROXY)
        assert title == found["og:title"] == "Tinkerformer"
        assert found["og:image"] == f"https://school.example.org{port.prefix}/card.png"


def test_a_prefix_that_a_proxy_removes_is_taken_from_the_header_of_the_proxy(port):
    for said, meant in (("/tools/tf/", "/tools/tf"), ("", "")):
        _, found = head(port, "", {**PROXY, "X-Forwarded-Prefix": said})
        place = f"https://school.example.org{meant}{port.prefix}"
        assert found["og:image"] == f"{place}/card.png"
    _, found = head(port, "", {**PROXY, "X-Forwarded-Prefix": '"><script>'})
    assert "og:image" not in found


def test_markup_in_a_link_remains_text_in_the_head(port):
    hostile = '"><script>alert(1)//'
    code = code_of(Scenario().with_tokens("source", (hostile, "</title>")))
    _, text, _ = answer(port.port, f"{port.prefix}/main?s={code}", PROXY)
    assert hostile not in text
    assert "<script>alert" not in text
    assert text.count("</title>") == 1
    title, found = head(port, f"?s={code}", PROXY)
    assert found["og:title"].startswith(hostile)
    assert hostile in title


def picture_of(port: SimpleNamespace, query: str) -> tuple[bytes, str]:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port.port, timeout=60)
    connection.request("GET", f"{port.prefix}/card.png{query}", headers=PROXY)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    assert response.status == 200
    assert response.headers["Content-Type"] == "image/png"
    return data, response.headers["Cache-Control"]


def test_the_picture_is_at_the_address_in_its_tag(port):
    code = code_of(moved())
    _, found = head(port, f"?s={code}", PROXY)
    place = urlsplit(found["og:image"])
    assert place.path == f"{port.prefix}/card.png"
    own, kept = picture_of(port, f"?{place.query}")
    assert own == drawn(card_of(code))
    assert kept == "public, max-age=86400"
    assert picture_of(port, "") == (general(), kept)
    for wrong in ("?s=abc", "?s=%ff", f"?s={'A' * 5000}", "?s=<script>"):
        picture, briefly = picture_of(port, wrong)
        assert picture == general()
        assert briefly == "public, max-age=60"


def test_an_invalid_host_has_no_address():
    def address(host: str, protocol: str = "https") -> str:
        request = SimpleNamespace(host=host, protocol=protocol, path="/main", headers={})
        return _address(SimpleNamespace(request=request, application=SimpleNamespace(settings={})))

    assert address("a.example:8443") == "https://a.example:8443/main"
    assert address("[::1]:80", "http") == "http://[::1]:80/main"
    for wrong in ("", 'a"b', "a b", "a/b", "user@a"):
        assert address(wrong) == ""
    assert address("a.example", "javascript") == ""
