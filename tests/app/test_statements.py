import re
import tomllib

import pytest
import yaml

from tests.documentation import ROOT, SOURCES

APP = ROOT / "app"
TOLD = (SOURCES / "accessibility.md").read_text(encoding="utf-8")
# The files that follow a pressed pointer -> the row of the table with another way to do it.
DRAGS = {
    "board/input/scrub.js": "a number, up or down",
    "board/picture/gestures.js": "the picture, to look elsewhere",
    "board/picture/small_map.js": "the small map of the picture",
    "board/paint/overview.js": "the window of a large matrix",
    "board/links/link_pull.js": "an attention link",
    "features/learn/curves.js": "the curves of a training",
    "features/prediction/bar.js": "the bar of a next word",
    "features/tokens/drag_to_reorder.js": "a word, to another place",
    "ideas/kit/grip.js": "a point or an arrow of an idea",
    "ideas/kit/handle.js": "a hand, a dot or a bar of an idea",
    "ideas/landscape/chart_drag.js": "the place in a landscape",
}
# The files that only follow a hovering pointer, or also a pressed one.
LOOKS = {
    "board/input/grid.js",
    "board/links/link_board.js",
    "features/film/time_line.js",
    "features/inspector/response_curve.js",
    "features/inspector/strips.js",
    "shell/served/connection.js",
}


def test_for_every_drag_the_statement_lists_another_way() -> None:
    files = (f for f in APP.rglob("*.js") if "node_modules" not in f.parts)
    found = {f.relative_to(APP).as_posix() for f in files if "pointermove" in f.read_text("utf-8")}
    assert found == DRAGS.keys() | LOOKS, "a drag of its own needs a row in accessibility.md"
    rows = re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \|$", TOLD, re.MULTILINE)[1:]
    assert len(rows) == len(DRAGS) + 2  # also sliders, which browsers make, and the curve
    for drag in DRAGS.values():
        (clicks,) = [clicks for what, clicks, keys in rows if what.startswith(drag) and keys]
        assert "drag" not in clicks


@pytest.mark.parametrize("heading", ["tested with every change", "not tested", "hard"])
def test_the_statement_lists_what_is_tested_and_what_is_not(heading) -> None:
    (part,) = [p for p in TOLD.split("\n## ") if p.partition("\n")[0].endswith(heading)]
    assert part.count("\n- ") >= 4


def test_the_citation_has_the_present_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "type"} <= cited.keys()
    assert cited["version"] == project["version"]
    assert cited["license"] in project["license"].split(" AND ")  # that of lessons differs
    assert all(author.get("name") or author["family-names"] for author in cited["authors"])
