import io
import json
import zipfile
from typing import Any

import pytest
from tinkerformer.files import catalog
from tinkerformer.files.kinds import kind_of, with_words
from tinkerformer.files.open_model import opened
from tinkerformer.model.scenario.model_names import FILE
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.address import PageAddress
from tinkerformer.session.session_json import SavedSession, to_json
from tinkerformer.shell.page import Page, create_page

from tests.app.learner import Learner, on_app, played
from tests.math.test_families import STORED, files_of

PHRASES = catalog.first("phrases")
MODEL = files_of(STORED["nanogpt"])
SESSION = to_json(SavedSession(catalog.first("dates"))).encode()
PAIRS = b"the cat\tle chat\na dog\tun chien\n"
TEXTS = b"the cat sat\nthe dog ran\n"
WORDS = ("zebra", "yak", "<pad>")


def _zipped(name: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), "<x/>")  # without the present time
    return content.getvalue()


SPREADSHEET = _zipped("xl/workbook.xml")


@pytest.fixture(scope="module")
def run() -> bytes:
    """Return the file of a training run after one step."""
    saved: list[bytes] = []

    async def script(learner: Learner) -> None:
        await learner.session.step()
        saved.append((await learner.session.save())[1])

    played(script, on_app(PHRASES))
    return saved[0]


def send(page: Page, files: dict[str, bytes], heads: int | None = None) -> dict[str, Any]:
    """Return the dialog's answer to files, {} if there is none, and check that no task is left."""
    (models, *_) = page.regions["model"]
    answers: list[dict[str, Any]] = []
    models.connect(answers.append)
    for number, (name, content) in enumerate(files.items()):
        part = {"name": name, "bytes": content, "first": number == 0}
        models.receive({"type": "part", "id": number, **part})
    models.receive({"type": "open", "id": len(files), "heads": heads})
    return next((each for each in answers if each.get("id") == len(files)), {})


def dialog_of_data(page: Page) -> Any:
    (line,) = page.regions["bar"][0].objects
    return line


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (MODEL["model.pt"], "model"),
        (SESSION, "session"),
        (json.dumps({word: n for n, word in enumerate(WORDS)}).encode(), "vocabulary"),
        (json.dumps({"version": "1.0", "model": {"vocab": {"a": 0}}}).encode(), "vocabulary"),
        (b'{"translation": {"en": "a", "fr": "b"}}\n', "data"),
        (json.dumps([["a", "b"], ["c", "d"]]).encode(), "data"),
        (PAIRS, "data"),
        (PAIRS.decode().encode("utf-16"), "data"),
        (TEXTS, "data"),
        ("\n".join(WORDS).encode(), "data"),
        (b"", "data"),
        (SPREADSHEET, "data"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "data"),
    ],
)
def test_the_name_of_a_file_does_not_affect_its_kind(content: bytes, kind: str) -> None:
    for name in ("x", "model.pt", "vocab.json", "pairs.csv"):
        assert kind_of({name: content}, PHRASES) == kind


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (MODEL["model.pt"], "a model"),
        (SESSION, "a saved page"),
        (json.dumps({word: n for n, word in enumerate(WORDS)}).encode(), "a vocabulary"),
    ],
)
def test_the_dialog_of_own_pairs_names_the_kind_of_a_file_without_data(
    content: bytes, what: str
) -> None:
    page = create_page()
    send(page, {"x": PAIRS})  # opens the dialog
    dialog, answers = dialog_of_data(page), []
    rows = dialog.draft["rows"]
    dialog.connect(answers.append)
    dialog.receive({"type": "part", "id": 1, "name": "pairs.csv", "bytes": content, "first": True})
    dialog.receive({"type": "open", "id": 2, "row": None})
    said = f"pairs.csv is {what}, which the page cannot learn from."
    assert answers[-1] == {"type": "answer", "id": 2, "elsewhere": said}
    assert dialog.draft["rows"] == rows


@pytest.mark.parametrize("content", [SPREADSHEET, b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b""])
def test_a_file_of_an_unknown_kind_gets_one_plain_sentence(content: bytes) -> None:
    said = send(create_page(), {"model.pt": content})["problem"]
    assert said.endswith(".")
    assert "torch" not in said
    assert "data.pkl" not in said


def test_files_are_a_model_if_one_of_them_has_weights_and_otherwise_data() -> None:
    assert kind_of({**MODEL, "vocab.txt": b"a\nb"}, PHRASES) == "model"
    assert kind_of({"config.json": b"{}", "vocab.txt": b"a\nb"}, PHRASES) == "model"
    assert kind_of({"t.en": b"a b\n", "t.fr": b"c d\n"}, PHRASES) == "data"
    with pytest.raises(ValueError, match=r"^No file was chosen\.$"):
        kind_of({}, PHRASES)


def test_a_model_opens_after_the_question_for_its_heads_is_answered() -> None:
    page = create_page()
    files = files_of(STORED["course"])
    assert send(page, files)["heads"] == [1, 3, 9]
    assert send(page, files, 3)["opened"]
    assert page.state.scenario.model == FILE


@pytest.mark.parametrize(
    ("files", "rows", "learned"),
    [
        ({"x.txt": PAIRS}, [["the cat", "le chat"], ["a dog", "un chien"]], "own"),
        ({"t.en": b"a b\nc\n", "t.fr": b"x\ny\n"}, [["a b", "x"], ["c", "y"]], "own"),
        ({"x": TEXTS}, [["the cat sat"], ["the dog ran"]], "own-next-word"),
    ],
)
def test_own_data_are_shown_in_the_dialog_of_the_train_room(
    files: dict[str, bytes], rows: list[list[str]], learned: str
) -> None:
    page = create_page()
    assert send(page, files)["opened"]
    dialog = dialog_of_data(page)
    assert (page.state.location.room, dialog.wanted) == ("train", True)
    assert (dialog.draft["rows"], dialog.draft["learned"]) == (rows, learned)
    assert page.state.scenario == PHRASES


def test_texts_become_data_of_the_kind_that_the_model_learns() -> None:
    page = create_page(scenario=catalog.first("blanks"))
    assert send(page, {"x": TEXTS})["opened"]
    assert dialog_of_data(page).draft["learned"] == "own-blanks"


def test_large_data_are_read_up_to_the_end_of_a_line() -> None:
    page = create_page()
    page.state.go("view", "train")
    dialog_of_data(page).limit = len(PAIRS) - 1
    assert send(page, {"x": PAIRS})["opened"]
    assert dialog_of_data(page).draft["rows"] == [["the cat", "le chat"]]
    assert page.state.notice == "Only the first 0 MB of a file were read."


def test_a_session_is_restored_and_a_training_run_continues(run: bytes) -> None:
    page = create_page()
    assert send(page, {"any.txt": SESSION})["opened"]
    assert page.state.scenario == catalog.first("dates")
    page.state.undo()
    assert page.state.scenario == PHRASES
    assert kind_of({"x": run}, PHRASES) == "run"
    assert send(page, {"x": run})["opened"]
    assert (page.state.location.room, page.state.scenario.steps_taken) == ("train", 1)


@pytest.mark.parametrize("line", ["Go{}!\tVa\u202f!\tCC-BY 2.0", "go {},va", "go;va {}"])
def test_pairs_are_data_even_if_they_are_as_many_as_the_words_of_the_model(line: str) -> None:
    page = create_page()
    send(page, MODEL)
    before = page.state.scenario
    count = len(before.own_vocabulary.source)
    assert kind_of({"x": "\n".join(map(line.format, range(count))).encode()}, before) == "data"


def test_a_vocabulary_names_the_ids_of_an_opened_model() -> None:
    page = create_page()
    send(page, MODEL)
    before = page.state.scenario
    count = len(before.own_vocabulary.source)
    signs = [",", ";", "1,000", *(f"w{n}" for n in range(3, count))]
    words = [f"w{n}" for n in range(count)]
    for lines in (words, signs, map("{}\t-1.5".format, signs)):  # words with scores as well
        assert kind_of({"x": "\n".join(lines).encode()}, before) == "vocabulary"
    assert send(page, {"x": "\n".join(words).encode()})["opened"]
    now = page.state.scenario
    assert now.own_vocabulary.target == tuple(words)
    assert now.target == tuple(f"w{each}" for each in before.target)
    for path, array in before.weights.arrays.items():
        assert now.weights.arrays[path].tobytes() == array.tobytes()
    short = json.dumps({word: n for n, word in enumerate(WORDS)}).encode()
    assert send(page, {"v.json": short})["problem"].startswith(
        f"v.json has 3 words, and the model has {count:,} of the source and {count:,} of the target"
    )
    assert page.state.scenario == now


def test_a_file_that_cannot_be_opened_is_answered_and_changes_nothing(run: bytes) -> None:
    page = create_page()
    vocabulary = json.dumps({word: n for n, word in enumerate(WORDS)}).encode()
    for content, sentence in (
        (vocabulary, "x is a vocabulary of 3 words. First open its model"),
        (b'{"version": 9}', "This file could not be opened. Its version is “9”"),
        (bytes(range(128)) * 9, "The file is no text"),
        (b"PK\3\4" + bytes(99), "The file is a zip archive: unpack it first"),
        (run[:-9], ""),
    ):
        answer = send(page, {"x": content})
        assert answer["problem"].startswith(sentence)
        assert page.state.scenario == PHRASES


def test_a_locked_page_opens_no_file(run: bytes) -> None:
    page = create_page(address=PageAddress(lock="all"))
    for content in (MODEL["model.pt"], SESSION, PAIRS, run):
        assert send(page, {"x": content}) == {}
    assert page.state.scenario == PHRASES


def test_a_vocabulary_for_one_side_does_not_change_the_other_side() -> None:
    model = opened(files_of(STORED["tutorial"]), Scenario(), 4)
    own = model.own_vocabulary
    assert len(own.source) != len(own.target)
    words = "\n".join(f"w{n}" for n in range(len(own.source))).encode()
    new = with_words({"x": words}, model).own_vocabulary
    assert (new.source[0], new.target) == ("w0", own.target)


def test_a_vocabulary_gives_an_opened_translator_its_start_end_and_padding() -> None:
    page = create_page()
    send(page, files_of(STORED["tutorial"]), 4)
    own = page.state.scenario.own_vocabulary
    assert not page.state.scenario.can_write
    special = ["<blank>", "<s>", "</s>", "<unk>"]
    for side in ("source", "target"):
        words = [*special, *(f"{side}{n}" for n in range(len(own.tokens(side)) - len(special)))]
        assert send(page, {"v": "\n".join(words).encode()})["opened"]
    now = page.state.scenario
    assert (now.own_vocabulary.start, now.own_vocabulary.end) == ("<s>", "</s>")
    assert now.own_vocabulary.pad == "<blank>"
    assert (now.source[0], now.target) == ("source0", ("<s>",))
    assert now.can_write
    assert page.state.notice == (
        "The words of v were added. A text starts with “<s>” and ends with “</s>”."
    )


def test_a_typed_text_keeps_its_ids_when_a_vocabulary_is_opened() -> None:
    model = opened(MODEL, Scenario()).with_tokens("target", ("2", "0"))
    words = ["<s>", "</s>", *(f"w{n}" for n in range(2, len(model.own_vocabulary.target)))]
    assert with_words({"x": "\n".join(words).encode()}, model).target == ("w2", "<s>")
