import base64
import gzip
import importlib.resources
import io
import pickle
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.files import catalog as models
from tinkerformer.files import model_file
from tinkerformer.files.open_model import opened
from tinkerformer.lessons import catalog
from tinkerformer.lessons.markdown import parsing
from tinkerformer.lessons.problem import LessonProblem
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session import link as permalink
from tinkerformer.session import session_json as scenario_json
from tinkerformer.session.session_json import SavedSession

from tests.app.building import ROOT
from tests.app.for_long import IS_LONG
from tests.app.hostile_files import damaged, other_header, other_json
from tests.app.whole_app import invariants
from tests.app.whole_app.browser import Browser
from tests.math.stored import load
from transformer_math.checkpoints import safetensors
from transformer_math.data.pairs import pairs, read_csv
from transformer_math.training.run_file import load_run

MOST_SECONDS, MOST_BYTES = 2.0, 64 << 20
LONGEST = 1_000  # characters of an error, which may name a few of many arrays
SHORT = settings(max_examples=2_000 if IS_LONG else 40, deadline=None)

KEPT = SavedSession(
    models.first("phrases")
    .with_value("source.W_e", (2, 1), 0.25)
    .with_value("encoder.0.self_attn.head.1.weights", (0, 1), 1)
    .with_silence(Silence("decoder.0.cross_attn.head.0.context", None, None, "mean"))
    .with_setting("label_smoothing", "0.2"),
    ("source.W_e", 2, 1),
    models.first("phrases"),
)
SESSION = scenario_json.to_json(KEPT, with_weights=True)
LINK = permalink.encode(KEPT).encode()
MODEL = model_file.save(Scenario(), ForwardPassRunner().trace(Scenario()))
TRAINED = (ROOT / "tests/data/saved/model.safetensors").read_bytes()
RUN = (ROOT / "tests/data/saved/training_run.safetensors").read_bytes()
TORCH = load("torch_files").arrays["file/transformer"].tobytes()
PAIRS = b'one,eins\ntwo,"zwei"\nthree,"dr""ei"\n"four, or so",vier\n' * 5
JSON_PAIRS = b'[{"source": "one", "target": "eins"}, {"source": "two", "target": "zwei"}]'
LESSON = max(Path(str(importlib.resources.files("tinkerformer.assets"))).glob("lessons/*.md"))


def text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def read_lesson(data: bytes) -> None:
    catalog.read_safely(parsing.parse(text(data), LESSON.name))


READERS: dict[str, tuple[Callable[[bytes], Any], st.SearchStrategy[bytes]]] = {
    "link": (lambda data: permalink.decode(text(data)), damaged(LINK)),
    "session": (lambda data: scenario_json.from_json(text(data)), damaged(SESSION.encode())),
    "session's values": (
        lambda data: scenario_json.from_json(text(data)),
        other_json(SESSION).map(str.encode),
    ),
    "model": (lambda data: opened({"m": data}, Scenario(), 2), damaged(MODEL)),
    "model's header": (lambda data: opened({"m": data}, Scenario(), 2), other_header(MODEL)),
    "trained model": (lambda data: opened({"m": data}, KEPT.scenario, None), damaged(TRAINED)),
    "trained model's header": (
        lambda data: opened({"m": data}, KEPT.scenario, None),
        other_header(TRAINED),
    ),
    "torch file": (lambda data: opened({"m": data}, Scenario(), 2), damaged(TORCH)),
    "run": (load_run, damaged(RUN)),
    "run's header": (load_run, other_header(RUN)),
    "pairs": (lambda data: read_csv(text(data)), damaged(PAIRS)),
    "pairs of words": (lambda data: read_csv(text(data), unit="word"), damaged(PAIRS)),
    "file of pairs": (pairs, damaged(PAIRS)),
    "file of pairs in UTF-16": (pairs, damaged(PAIRS.decode().encode("utf-16"))),
    "file of pairs with tabs": (pairs, damaged(PAIRS.replace(b",", b"\t"))),
    "file of pairs in JSON": (pairs, damaged(JSON_PAIRS)),
    "fields of pairs in JSON": (pairs, other_json(JSON_PAIRS.decode()).map(str.encode)),
    "parallel files": (lambda data: pairs(data, PAIRS), damaged(PAIRS)),
    "lesson": (read_lesson, damaged(LESSON.read_bytes())),
}


def answered(read: Callable[[bytes], Any], data: bytes) -> str:
    """Return the error sentence, or "" if the file opens, within the limits."""
    tracemalloc.start()
    begun, problem = time.process_time(), None
    try:
        read(data)
    except ValueError as error:
        problem = error
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert time.process_time() - begun < MOST_SECONDS
    assert most < MOST_BYTES
    if problem is None:
        return ""
    said = str(problem).strip()
    assert 0 < len(said) < LONGEST, said
    assert "Error" not in said, said
    # A lesson's error becomes a sentence with the file and the line.
    assert isinstance(problem, LessonProblem) or said.endswith((".", ")")), said
    return said


@pytest.mark.parametrize("kind", READERS)
@given(data=st.data())
@SHORT
def test_a_damaged_file_is_refused_in_a_sentence_or_opens(kind, data):
    read, files = READERS[kind]
    answered(read, data.draw(files))


@pytest.mark.parametrize("kind", [kind for kind in READERS if "'s" not in kind])
@given(data=st.binary(max_size=400))
@SHORT
def test_a_random_file_is_refused_in_a_sentence_or_opens(kind, data):
    answered(READERS[kind][0], data)


def test_valid_files_are_opened():
    good = {"link": LINK, "session": SESSION.encode(), "model": MODEL, "trained model": TRAINED}
    good |= {"torch file": TORCH, "run": RUN, "pairs": PAIRS, "lesson": LESSON.read_bytes()}
    for kind, data in good.items():
        assert answered(READERS[kind][0], data) == "", kind


@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_a_page_starts_whatever_its_tab_has_stored(data):
    """The page opens all of it, a part or nothing, reports that once, and works."""
    kinds = {
        "saved": st.one_of(other_json(SESSION), damaged(SESSION.encode()).map(text)),
        "link": damaged(LINK).map(text),
    }
    kind = data.draw(st.sampled_from(sorted(kinds)))
    browser = Browser(**{kind: data.draw(kinds[kind])})
    try:
        assert len(browser.notices) <= 2, browser.notices
        assert browser.board.manifest["matrices"]
        browser.set_cell(browser.board.manifest["matrices"][3]["path"], 0, 0, 0.5)
        invariants.check(browser)
    finally:
        browser.close()


class Runs:
    """An object whose unpickling runs code."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self.path), "w")


def pickled(runs: Runs) -> bytes:
    return pickle.dumps(runs)


def as_torch_saves(runs: Runs) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("model/data.pkl", pickle.dumps(runs))
    return out.getvalue()


def as_numpy_saves(runs: Runs) -> bytes:
    out = io.BytesIO()
    np.save(out, np.array([runs], dtype=object), allow_pickle=True)
    return out.getvalue()


@pytest.mark.parametrize("pack", [pickled, as_torch_saves, as_numpy_saves])
@pytest.mark.parametrize("kind", ["model", "run", "session", "pairs", "lesson"])
def test_code_in_a_file_is_read_and_not_run(kind, pack, tmp_path):
    ran = tmp_path / "ran"
    assert answered(READERS[kind][0], pack(Runs(ran)))
    assert not ran.exists()


NOTHING = bytes(100 << 20)  # compressed to a thousandth of its size


@pytest.mark.parametrize(
    "packed", [gzip.compress(NOTHING, 9), zlib.compress(NOTHING, 9)], ids=["gzip", "zlib"]
)
@pytest.mark.parametrize("kind", ["link", "model", "run", "session", "pairs"])
def test_archives_that_would_expand_too_much_are_refused(kind, packed):
    read = READERS[kind][0]
    assert answered(read, packed)
    code = base64.urlsafe_b64encode(packed).rstrip(b"=")
    assert answered(read, code)


def test_a_model_without_its_settings_is_reported():
    """Such a file once raised a KeyError."""
    arrays, about = safetensors.load(TRAINED)
    del about["config"]
    with pytest.raises(ValueError, match="The file's config cannot be read"):
        opened({"m": safetensors.save(arrays, about)}, Scenario(), None)
