"""``tinkerformer serve --model``: pages open with the user's own model."""

import subprocess
import sys

import pytest
from tinkerformer.cli.command import main
from tinkerformer.files import catalog
from tinkerformer.model.scenario.model_names import PHRASES, SERVED
from tinkerformer.session import session_json as scenario_json
from tinkerformer.session.session_json import SavedSession
from tinkerformer.shell import create_page
from tinkerformer.transport.hosting import server

from tests.app.trained import torch_state
from tests.math.stored import load
from transformer_math.checkpoints import safetensors


@pytest.fixture
def clean(monkeypatch):
    """Restore the model that this process serves."""

    def forget():
        for cached in (catalog.served, catalog.entries, catalog.first):
            cached.cache_clear()

    for name in (catalog.SERVED_MODEL, catalog.SERVED_HEADS):
        monkeypatch.setenv(name, "")
    forget()
    yield
    monkeypatch.undo()
    forget()


@pytest.fixture
def folder(tmp_path, clean):
    """Return the files of a MarianMTModel."""
    for file, array in load("marian_shared").under("file").items():
        (tmp_path / file).write_bytes(array.tobytes())
    return tmp_path


def served(monkeypatch, *arguments):
    """Return the scenario that the command would serve."""
    found = []
    monkeypatch.setattr(server, "serve_page", lambda *_, **options: found.append(options))
    main(arguments)
    assert len(found) == 1
    return catalog.served()


@pytest.mark.parametrize("command", [("serve",), ()])
def test_pages_open_with_the_served_model(folder, monkeypatch, command):
    scenario = served(monkeypatch, *command, "--model", str(folder))
    page = create_page(scenario=scenario)
    assert page.state.scenario.model == SERVED
    assert page.state.scenario.weights.name == folder.name
    names = [entry.name for entry in catalog.entries()]
    assert names[:2] == [SERVED, PHRASES]


def test_a_session_and_a_link_of_the_served_model_can_be_read(folder, monkeypatch):
    scenario = served(monkeypatch, "--model", str(folder))
    edited = scenario.with_value("encoder.0.self_attn.W_q", (0, 0, 1), 1.5)
    written = scenario_json.to_json(SavedSession(edited))
    assert scenario_json.from_json(written).scenario == edited
    assert len(written) < 2000


def test_a_link_to_another_server_s_model_is_explained(folder, monkeypatch):
    written = scenario_json.to_json(SavedSession(served(monkeypatch, "--model", str(folder))))
    monkeypatch.setenv(catalog.SERVED_MODEL, "")
    catalog.served.cache_clear()
    with pytest.raises(ValueError, match="the model of a different server"):
        scenario_json.from_json(written)


def test_without_a_served_model_pages_open_with_the_phrases(clean):
    assert catalog.served() is None
    assert create_page(scenario=catalog.served()).state.scenario.model == PHRASES
    with pytest.raises(ValueError, match="no model of its own"):
        catalog.first(SERVED)


def test_a_file_without_the_number_of_heads_requires_an_option(tmp_path, clean, monkeypatch):
    path = tmp_path / "theirs.safetensors"
    path.write_bytes(safetensors.save(torch_state()))
    with pytest.raises(SystemExit, match="give heads=, one of 1, 2, 3"):
        main(["serve", "--model", str(path), "--no-show"])
    assert served(monkeypatch, "--model", str(path), "--heads", "3").config.heads == 3


@pytest.mark.parametrize("what", ["nothing there", "not a model"])
def test_a_model_that_cannot_be_opened_is_refused_in_a_sentence(tmp_path, what):
    path = tmp_path / "model.safetensors"
    if what == "not a model":
        path.write_bytes(b"hello, world")
    done = subprocess.run(
        [sys.executable, "-m", "tinkerformer", "serve", "--model", str(path), "--no-show"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "no file" in done.stderr or "neither in the safetensors format" in done.stderr
