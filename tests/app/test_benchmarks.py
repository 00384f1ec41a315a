"""The measured figures: drawn from small input, and written where they are read, none by hand."""

from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks import written
from tests.benchmarks.growth import passes
from tests.benchmarks.picture import Curve, chart
from tests.benchmarks.table import Row, Table

KEPT = {
    "forward": {
        "date": "2026-05-03",
        "machine": "2 cores",
        "tables": [
            ["A pass", [list(Row("a pass", "1 ms", "0.6", "2 ms", "0.5", main=True))]],
            ["An orbit", [list(Row("an orbit", "3 ms"))]],
        ],
    }
}


def test_the_page_has_every_row_and_the_readme_the_main_ones() -> None:
    page, main = written.page(KEPT), written.main_rows(KEPT)
    assert "### A pass\n\nMeasured on 3 May 2026: 2 cores.\n" in page
    assert "|a pass|1 ms|2 ms|0.5|0.6|" in page
    assert "|an orbit|3 ms||||" in page
    assert "|a pass|1 ms|2 ms|0.5|\n\nMeasured on 3 May 2026: 2 cores." in main
    assert "an orbit" not in main


def test_a_group_measured_anew_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("KEPT", "PAGE", "README"):
        monkeypatch.setattr(written, name, tmp_path / name)
    for name in ("PAGE", "README"):
        (tmp_path / name).write_text(f"above\n{written.BEGIN}old\n{written.END}below\n")
    for group, figure in (("b", "1 ms"), ("a", "2 ms"), ("b", "3 ms")):
        written.keep(group, [Table(group, [Row(f"row {group}", figure, main=True)])], "ab")
    for name in ("PAGE", "README"):
        text = (tmp_path / name).read_text()
        assert (text[:6], text[-6:]) == ("above\n", "below\n")
        assert text.index("|row a|2 ms|") < text.index("|row b|3 ms|")
        assert "old" not in text
        assert "1 ms" not in text


def test_what_is_written_is_what_was_measured() -> None:
    kept = written.read()
    for file, text in (
        (written.PAGE, written.page(kept)),
        (written.README, written.main_rows(kept)),
    ):
        told = file.read_text(encoding="utf-8")
        assert written.between(told, text) == told


def test_a_file_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="is written between"):
        written.between(f"text\n{written.END}", "new")


def test_growth_is_measured_and_drawn_with_axes_that_say_what_they_are() -> None:
    curve = passes("tokens a side", (1, 2), lambda n: (8, 1, n), rounds=1)
    assert set(curve.lines) == {"a pass", "an orbit, 60 passes"}
    assert all(time > 0 for times in curve.lines.values() for time in times)
    plot = chart(curve)
    assert plot.xaxis[0].axis_label == "tokens a side"
    assert plot.yaxis[0].axis_label == "milliseconds"
    assert list(plot.xaxis[0].ticker.ticks) == [1, 2]
    assert [item.label.value for item in plot.legend[0].items] == list(curve.lines)


def test_every_line_of_a_chart_has_a_color_and_a_dash_of_its_own() -> None:
    plot = chart(Curve("title", "label", (1, 2), {"one": [1.0, 2.0], "other": [3.0, 4.0]}))
    lines = [r.glyph for r in plot.renderers if type(r.glyph).__name__ == "Line"]
    assert len({(g.line_color, str(g.line_dash)) for g in lines}) == 2
    drawn = [np.asarray(r.data_source.data["y"]).tolist() for r in plot.renderers]
    assert drawn == [[1.0, 2.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]]
