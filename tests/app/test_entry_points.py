"""Files and folders of models, opened by the dialog, ``serve --model``, ``show`` and Python."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tinkerformer.features.models.models import Models
from tinkerformer.features.models.view import ModelsView
from tinkerformer.features.notice.view import NoticeView
from tinkerformer.files import catalog
from tinkerformer.files.open_model import opened
from tinkerformer.from_python.show import show
from tinkerformer.model.scenario.model_names import FILE
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.state import AppState

from tests.app.test_served_model import clean as clean
from tests.math.test_families import STORED, files_of
from transformer_math import Transformer

HEADS = {name: stored.config["heads"] for name, stored in STORED.items()}
WAYS: dict[str, Callable[[Path, int | None], Scenario]] = {
    "dialog": lambda path, heads: opened(
        {each.name: each.read_bytes() for each in ([path] if path.is_file() else path.iterdir())},
        Scenario(),
        heads,
    ),
    "serve": lambda path, heads: catalog.serve(path, heads),
    "show": lambda path, heads: show(path, **({} if heads is None else {"heads": heads})).scenario,
}


def written(folder: Path, name: str) -> Path:
    for file, content in files_of(STORED[name]).items():
        (folder / file).write_bytes(content)
    return folder


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["annotated", "tutorial", "nanogpt", "course", "bart"])
@pytest.mark.usefixtures("clean")
def test_every_entry_point_opens_files_and_folders(tmp_path: Path, way: str, name: str) -> None:
    folder = written(tmp_path, name)
    heads = None if (folder / "config.json").exists() else HEADS[name]
    expected = Transformer.load(folder, heads=heads).parameters
    for path in (folder, *folder.glob("*.pt"), *folder.glob("*00001-of-00002.safetensors")):
        if way == "dialog" and "-of-" in path.name:
            continue  # a dialog receives all files of a folder
        weights = WAYS[way](path, heads).weights
        assert {at: array.tobytes() for at, array in weights.arrays.items()} == {
            at: array.astype(weights.arrays[at].dtype).tobytes() for at, array in expected.items()
        }


SAID = "holds model_args: 5 entries, optimizer: 2 entries, iter_num 7; that is not used."


@pytest.mark.usefixtures("clean")
def test_unused_contents_of_an_opened_file_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, "nanogpt") / "model.pt"
    served = catalog.serve(path, HEADS["nanogpt"])
    assert served.weights.about == f"Beside the weights, model.pt {SAID}"
    assert catalog.entries()[0].about.endswith(SAID)
    shown = show(path, heads=HEADS["nanogpt"]).scenario
    assert shown.model == FILE
    state = AppState(shown)
    assert NoticeView(state).notice.said["text"].endswith(SAID)
    state = AppState(Scenario())
    view = ModelsView(state)
    assert isinstance(view.models, Models)
    later = view._open({"model.pt": path.read_bytes()}, HEADS["nanogpt"])
    later.take(later.make())
    assert state.notice.endswith(SAID)
    (about,) = (each["about"] for each in view.models.models if each["name"] == FILE)
    assert about.endswith(SAID)


def test_many_unused_contents_are_counted() -> None:
    weights = Weights({}, (), (), "a.pt", tuple(f"thing {k}" for k in range(50)))
    assert weights.about.endswith("thing 7 and 42 more; that is not used.")
    assert Weights({}, (), (), "a.pt").about == ""
