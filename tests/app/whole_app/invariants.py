"""Conditions that a page at rest must fulfill after any actions."""

import dataclasses
import json
import re

import numpy as np
from tinkerformer.model.scenario.edits import Edit
from tinkerformer.model.scenario.model_names import FILE
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session import link as permalink
from tinkerformer.session import session_json as scenario_json
from tinkerformer.session.session_json import SavedSession

from tests.app.whole_app.browser import Browser
from tests.app.whole_app.frames import Plane
from tests.app.whole_app.mathematics import Computed

# The tolerance, as a share of a matrix's largest number. Both sides compute in float32, but edits
# and silences change the layout of arrays in memory, which changes the rounding.
CLOSE = 2e-5
SHOWN = 1e-3  # the tolerance of a sum of shares
MOST_LINKED = 5_000  # the most characters of a session whose link is checked
FAULTS = ("internal", "error in the program", "failed to read", "Traceback", "Error(")


def check(browser: Browser) -> None:
    """Check all conditions."""
    no_fault_is_said(browser)
    read = restore_gives_what_was_saved(browser)
    is_shown = read is not None and browser.page.state.before_experiment is None
    computed = Computed(read if is_shown else read_again(browser))
    assert computed.scenario.target == browser.page.state.scenario.target, "another text is written"
    rows_are_probabilities(computed)
    the_board_shows_the_mathematics(browser, computed)
    what_is_pinned_is_the_mathematics(browser)
    what_is_written_is_as_likely(browser, computed)
    the_page_is_of_the_version_that_is_told(browser)


def the_page_is_of_the_version_that_is_told(browser: Browser) -> None:
    """Check the painted and the acknowledged version: none may wait forever for the other."""
    state = browser.page.state
    assert browser.board.holds == state.version, "an old version is painted"
    assert browser.board.kept == state.kept_version, "an old version is kept"


def no_fault_is_said(browser: Browser) -> None:
    said = [*browser.notices, *browser.faults]
    for thing in browser.things.values():
        said += [str(thing.properties.get("problem", "")), str(thing.properties.get("errors", ""))]
    for sentence in said:
        assert not any(fault in sentence for fault in FAULTS), sentence
    assert not browser.faults


def restore_gives_what_was_saved(browser: Browser) -> Scenario | None:
    """Check that the tab and a link store the session; return its scenario as the tab stores it."""
    state = browser.page.state
    if state.scenario.model == FILE:
        return None  # the weights of an opened file are not stored
    written, saved = browser.board.session, state.snapshots.take()
    assert written == scenario_json.to_json(saved, with_weights=True), "an old one is kept"
    read = scenario_json.from_json(written)
    assert scenario_json.to_json(read, with_weights=True) == written
    if not state.scenario.writes_itself and "weights" in json.loads(written):
        assert numbers_set(read.scenario) == numbers_set(saved.scenario)
        assert read.scenario.weights == saved.scenario.weights
    if len(written) < MOST_LINKED:
        shared = scenario_json.to_json(saved)
        assert scenario_json.to_json(permalink.decode(permalink.encode(saved))) == shared
    return read.scenario


def numbers_set(scenario: Scenario) -> dict[Edit, np.float32]:
    """Return the edits in float32, as the pass uses them; JSON stores no more digits."""
    return {edit: np.float32(value) for edit, value in scenario.edits.items()}


def read_again(browser: Browser) -> Scenario:
    """Return the scenario that is shown, written to JSON and read again."""
    shown: Scenario = browser.page.state.scenario
    if shown.model == FILE:
        return dataclasses.replace(shown)
    written = scenario_json.to_json(SavedSession(shown), with_weights=True)
    return scenario_json.from_json(written).scenario


def rows_are_probabilities(computed: Computed) -> None:
    """Check that shares sum to 1, masked weights are exactly 0, and numbers are finite."""
    trace = computed.trace
    for path, tensor in trace.tensors.items():
        values = tensor.value
        leaf = path.rpartition(".")[2]
        if leaf not in ("mask", "masked_scores") and not path.endswith("mask"):
            assert np.isfinite(values).all(), f"{path} is not finite"
        if leaf in ("weights", "probabilities") and tensor.override is None:
            np.testing.assert_allclose(values.sum(-1), 1, atol=SHOWN, err_msg=path)
            assert (values >= 0).all(), path
        scores = path.removesuffix("weights") + "masked_scores"
        if leaf == "weights" and scores in trace and tensor.override is None:
            assert (values[np.isneginf(trace[scores].value)] == 0).all(), path


def the_board_shows_the_mathematics(browser: Browser, computed: Computed) -> None:
    board = browser.board
    gradients = board.view.get("plane") == "gradient"
    entries = board.manifest["matrices"]
    overviews_change = board.view.get("plane") == "change"
    if board.to_paint or board.swing is not None:
        return  # `the_swing_is_the_mathematics` checks an oscillation
    assert not board.stale, "the browser has outdated numbers of a matrix"
    seen = {entries[index]["path"] for index in board.matrices}
    for entry in entries[: len(entries) if len(seen) < 2 else None]:
        reads = entry["path"].partition("@")[0] in computed.trace
        assert entry["path"] in seen or not reads, f"{entry['path']} was never sent"
    for index, plane in board.matrices.items():
        path = entries[index]["path"]
        right = computed.drawn(path)
        if right is None or (overviews_change and "@overview" in path):
            continue
        shown = plane.values[0]
        if "@overview" in path:  # two numbers are equally far from 0, so either may be drawn
            shown, right = np.abs(shown), np.abs(right)
        same(shown, right, path)
        if gradients and plane.gradients is not None:
            gradient = computed.gradient(path)
            if gradient is not None and "@overview" not in path:
                same(plane.gradients[0], gradient, f"the gradient of {path}")


def the_swing_is_the_mathematics(browser: Browser) -> None:
    """Check the first and last frame of an oscillation, which equal passes with the cell set."""
    board, state = browser.board, browser.page.state
    if board.swing is None:
        return
    path, i, j = (board.swing[name] for name in ("path", "i", "j"))
    values = board.swing["values"]
    index = (i, j)[2 - min(2, len(state.trace[path].shape)) :]
    for t in (0, len(values) - 1):
        set_there = state.scenario.with_value(path, index, values[t])
        set_there = dataclasses.replace(
            set_there, writes_itself=False, mask_seed=state.scenario.mask_seed
        )
        computed = Computed(set_there)
        for at, plane in board.orbit.items():
            own = board.manifest["matrices"][at]["path"]
            right = computed.drawn(own)
            if right is not None and right.shape == plane.values[t].shape and "@" not in own:
                same(plane.values[t], right, f"{own} of frame {t} of a swing")


def what_is_pinned_is_the_mathematics(browser: Browser) -> None:
    board, baseline = browser.board, browser.page.state.baseline
    if baseline is None:
        assert not board.pinned
        return
    if baseline.model == FILE:
        return
    written = scenario_json.to_json(SavedSession(baseline), with_weights=True)
    computed = Computed(scenario_json.from_json(written).scenario)
    for index, plane in board.pinned.items():
        path = board.manifest["matrices"][index]["path"]
        right = computed.drawn(path)
        if right is not None and "@overview" not in path:
            same(plane.values[0], right, f"what is pinned of {path}")


def what_is_written_is_as_likely(browser: Browser, computed: Computed) -> None:
    """Check that the probabilities under the written words are those of the pass."""
    scenario = computed.scenario
    if not scenario.writes_itself or browser.board.swing is not None or scenario.training:
        return
    tokens = browser.named("Tokens")[0]
    said = tokens["written"].get("target", {}).get("probabilities")
    if not said:
        return
    rows = computed.trace["output.probabilities"].value
    known = scenario.target_vocabulary
    for at, word in enumerate(scenario.target[1:], 1):
        if said[at] is not None:
            right = float(rows[at - 1, known.index(word)])
            assert abs(said[at] - right) < 2e-3, (word, said[at], right)


def same(shown: np.ndarray, right: np.ndarray, what: str) -> None:
    """Check that two matrices are equal, up to the rounding of float32."""
    assert shown.shape == right.shape, f"{what}: {shown.shape}, and not {right.shape}"
    finite = np.isfinite(right)
    assert (np.isfinite(shown) == finite).all(), f"{what} is not finite where it should be"
    scale = max(1.0, float(np.abs(right[finite]).max(initial=0.0)))
    apart = float(np.abs(shown[finite] - right[finite]).max(initial=0.0))
    assert apart <= CLOSE * scale, f"{what} is {apart:g} away from the mathematics"


def the_same_is_shown(browser: Browser, other: Browser) -> None:
    """Check that two pages show the same numbers of the same session."""

    def numbers(of: Browser) -> dict[str, Plane]:
        entries = of.board.manifest["matrices"]
        return {entries[index]["path"]: plane for index, plane in of.board.matrices.items()}

    one, two = numbers(browser), numbers(other)
    selected = browser.page.state.selection
    own = set() if selected is None else {f"{selected.path}@{selected.row},{selected.column}"}
    # A number that is released, as by undo, is sent until the structure changes.
    held = {path for path in one if re.search(r"@\d+\+1,\d+\+1$", path)}
    assert len(held) <= 1
    assert {*one} - {*two} <= own | held, sorted({*one} ^ {*two})
    for path in one.keys() & two.keys():
        same(one[path].values[0], two[path].values[0].astype(float), path)
