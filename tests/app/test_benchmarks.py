"""The measured figures: drawn from small input, and written where they are read, none by hand."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks import command, eager, forward, machine, peak, usage, written
from tests.benchmarks.growth import passes
from tests.benchmarks.picture import Curve, chart
from tests.benchmarks.planted import check, plant
from tests.benchmarks.table import NEVER, Row, Table, compared, figure
from transformer_math import Config
from transformer_math.cost import layer_cost

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
    for group, said in (("b", "1 ms"), ("a", "2 ms"), ("b", "3 ms")):
        written.keep(group, [Table(group, [Row(f"row {group}", said, main=True)])], "ab")
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


def test_what_did_not_happen_is_said_and_is_no_time() -> None:
    assert figure([1.0, 2.0, 3.0], 0.5, "ms", 1) == "2.0 ms"
    assert figure([1.0, 2.0, NEVER], 0.5, "ms") == "2 ms; 1 of 3 did not happen"
    assert figure([1.0, NEVER, NEVER], 0.5, "ms") == "did not happen"
    assert figure([], 0.5, "ms") == "did not happen"


def test_a_ratio_is_that_of_the_figures_beside_it() -> None:
    row = compared("a pass", 3.0, "0.6", 4.0, "PyTorch", 1)
    assert (row.here, row.beside, row.ratio) == ("3.0 ms", "PyTorch 4.0 ms", "0.75")
    assert compared("a pass", 3.0, "0.6", None, "PyTorch", 1).beside == "PyTorch: not installed"


def test_the_machine_is_told_with_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"kernel {machine.kernel()}" in machine.machine() or "OpenBLAS" not in machine.blas()
    assert f"{os.cpu_count()} " in machine.machine()
    monkeypatch.setattr(machine, "libraries", list)
    assert machine.kernel() is None


KERNEL = """
import contextlib, runpy, sys
sys.argv = ["benchmarks", *sys.argv[1:]]
with contextlib.suppress(SystemExit):
    runpy.run_module("tests.benchmarks", run_name="__main__")
from tests.benchmarks.machine import kernel
print("kernel", kernel())
"""


def test_a_kernel_that_the_environment_forces_is_not_measured() -> None:
    def told(**forced: str) -> str:
        plain = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
        code = [sys.executable, "-c", KERNEL, "--help"]
        where = {"cwd": written.ROOT, "env": {**plain, **forced}}
        return subprocess.run(code, **where, check=True, text=True, stdout=-1).stdout  # type: ignore[call-overload]

    plain, forced = told(), told(OPENBLAS_CORETYPE="Nehalem", OPENBLAS_L2_SIZE="4096")
    assert "Measured without" not in plain
    assert "without OPENBLAS_CORETYPE=Nehalem and OPENBLAS_L2_SIZE=4096" in forced
    assert plain.splitlines()[-1] == forced.splitlines()[-1]


def test_what_a_process_uses_is_that_of_its_children_too() -> None:
    burn = """
import sys, time
kept = b"x" * 60_000_000
while time.process_time() < 0.3:
    pass
print("burnt", flush=True)
sys.stdin.read()
"""
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", parent], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"burnt\n"
        assert usage.cpu(process.pid) >= 0.3
        assert usage.memory(process.pid) > 60
        process.communicate()


def test_a_row_that_does_not_see_what_is_planted_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    amount = [0.0]

    @contextlib.contextmanager
    def planted() -> Iterator[None]:
        amount[0] = 5.0
        yield
        amount[0] = 0.0

    def seen(share: float) -> bool:
        row = plant.Plant("a row", "ms", lambda: 1 + share * amount[0], planted, plant.more(5))
        return plant.is_seen(row)

    assert seen(1)
    assert not seen(0)
    assert not seen(2)
    assert capsys.readouterr().out.count("NOT SEEN") == 2


def test_every_group_has_something_to_plant() -> None:
    assert {*check.GROUPS} == {*command.GROUPS, "load"}


@pytest.mark.skipif(not eager.INSTALLED, reason="PyTorch is not installed")
@pytest.mark.parametrize("size", forward.SIZES[:2], ids=str)
def test_pytorch_s_model_beside_has_as_many_numbers(size: forward.Size) -> None:
    config = size.config
    layers = config.encoder_layers, config.decoder_layers
    width = config.feed_forward_width
    other = eager.transformer(config.d_model, config.heads, width, layers)
    of_layers = sum(each.numel() for each in other.parameters())
    words = config.source_vocabulary * config.d_model
    assert of_layers + 3 * words + config.source_vocabulary == config.parameter_count()


def test_operations_of_a_pass_are_those_of_its_layers() -> None:
    config, n = Config.preset("paper-base"), 64
    layer = layer_cost(config, n)
    decoder = layer.multiply_adds + layer.projections + layer.scores  # attention to the source, too
    output = n * config.d_model * config.target_vocabulary
    layers = config.encoder_layers * layer.multiply_adds + config.decoder_layers * decoder
    assert peak.operations(config, n) == 2 * (layers + output)
