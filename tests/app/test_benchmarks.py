"""The benchmarks: their figures from small inputs, and their tables."""

import os
import re
import shutil
import subprocess
import sys
import unittest.mock
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Error as BrowserError
from tinkerformer.view_model.page_location import VIEWS

from tests.benchmarks import command, eager, engines, forward, machine, peak, usage, written
from tests.benchmarks.growth import passes
from tests.benchmarks.machine import Load
from tests.benchmarks.picture import chart
from tests.benchmarks.table import NEVER, Row, Table, compared, figure, heading, tables
from tests.browser.engine import Engine
from transformer_math import Config
from transformer_math.cost import layer_cost

KEPT = {
    "forward": {
        "date": "2026-05-03",
        "machine": "2 cores",
        "load": "load average 0.10",
        "tables": [
            [
                "A pass",
                [
                    list(Row("a pass", "1 ms", "From a to b.", "0.6", "2 ms", "0.5", main=True)),
                    list(Row("two passes", "2 ms", "From a to b.")),
                    list(Row("memory", "3 MB", "At the end. Changed on 1 May 2026: before, c|d.")),
                ],
            ],
            ["An orbit", [list(Row("an orbit", "3 ms", "From b to c."))]],
        ],
    }
}


def test_the_page_has_every_row_and_the_readme_only_the_main_rows() -> None:
    page, main = written.page(KEPT), written.main_rows(KEPT)
    origin = "Measured on 3 May 2026: 2 cores; before the measurement: load average 0.10."
    assert f"### A pass\n\n{origin}\n" in page
    assert "|a pass|1 ms|2 ms|0.5|0.6|1|" in page
    assert "|an orbit|3 ms||||1|" in page
    assert f"|a pass|1 ms|2 ms|0.5|\n\n{origin}" in main
    assert "an orbit" not in main


def test_the_page_has_each_definition_once_below_the_rows_that_refer_to_it() -> None:
    page = written.page(KEPT)
    assert "|two passes|2 ms||||1|\n|memory|3 MB||||2|\n\n" in page
    assert "\n\n1. From a to b.\n2. At the end. Changed on 1 May 2026: before, c|d.\n\n###" in page
    assert page.endswith("|an orbit|3 ms||||1|\n\n1. From b to c.\n")


def test_the_page_has_each_view_that_a_benchmark_opens() -> None:
    files = sorted(Path(command.__file__).parent.glob("*.py"))
    names = re.findall(r'open_view\(\w+, "(.+?)"\)', "".join(file.read_text() for file in files))
    assert names
    assert {*names} <= {*VIEWS.values()}


def test_a_bar_in_a_text_does_not_divide_a_cell_of_a_table() -> None:
    row = list(Row("Firefox", "not measured: a|b", "From a to b."))
    kept = {"whole": {**KEPT["forward"], "tables": [["Browsers", [row]]]}}
    assert "|Firefox|not measured: a/b||||1|" in written.page(kept)


def test_a_group_that_is_measured_again_leaves_the_other_groups_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("KEPT", "PAGE", "README"):
        monkeypatch.setattr(written, name, tmp_path / name)
    for name in ("PAGE", "README"):
        (tmp_path / name).write_text(f"above\n{written.BEGIN}old\n{written.END}below\n")
    for group, said in (("b", "1 ms"), ("a", "2 ms"), ("b", "3 ms")):
        rows = [Row(f"row {group}", said, "From a to b.", main=True)]
        written.keep(group, [Table(group, rows)], "ab", Load(0.125, 0.031))
    for name in ("PAGE", "README"):
        text = (tmp_path / name).read_text()
        assert (text[:6], text[-6:]) == ("above\n", "below\n")
        assert text.index("|row a|2 ms|") < text.index("|row b|3 ms|")
        assert "old" not in text
        assert "1 ms" not in text
        assert "; before the measurement: load average 0.12, 3 % of the processors used." in text


def test_the_tables_of_the_documentation_are_those_of_the_measurements() -> None:
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


def test_growth_is_measured_and_drawn_with_named_axes() -> None:
    curve = passes("tokens a side", (1, 2), lambda n: (8, 1, n), rounds=1)
    assert set(curve.lines) == {"a pass", "an orbit, 60 passes"}
    assert all(time > 0 for times in curve.lines.values() for time in times)
    plot = chart(curve)
    assert plot.xaxis[0].axis_label == "tokens a side"
    assert plot.yaxis[0].axis_label == "milliseconds"
    assert list(plot.xaxis[0].ticker.ticks) == [1, 2]
    assert [item.label.value for item in plot.legend[0].items] == list(curve.lines)


def test_a_missing_event_is_stated_instead_of_a_time() -> None:
    assert figure([1.0, 2.0, 3.0], 0.5, "ms", 1) == "2.0 ms"
    assert figure([1.0, 2.0, NEVER], 0.5, "ms") == "2 ms; 1 of 3 did not happen"
    assert figure([1.0, NEVER, NEVER], 0.5, "ms") == "did not happen"
    assert figure([], 0.5, "ms") == "did not happen"


def test_a_ratio_is_the_ratio_of_the_two_figures_beside_it() -> None:
    row = compared("a pass", 3.0, 4.0, "From a to b.", "0.6")
    assert (row.here, row.beside, row.ratio) == ("3.0 ms", "PyTorch 4.0 ms", "0.75")
    assert compared("a pass", 3.0, None, "From a to b.").beside == "PyTorch: not installed"
    for here, beside in ((3.0, 0.0), (NEVER, 4.0)):
        row = compared("frames", here, beside, "Frames a second.", unit="", name="")
        assert "did not happen" in (row.here, row.beside)
        assert row.ratio == ""


def test_the_machine_is_described_with_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_measurements_ignore_a_kernel_that_the_environment_forces_and_say_so() -> None:
    def told(**forced: str) -> str:
        plain = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
        code = [sys.executable, "-c", KERNEL, "--help"]
        where = {"cwd": written.ROOT, "env": {**plain, **forced}}
        return subprocess.run(code, **where, check=True, text=True, stdout=-1).stdout  # type: ignore[call-overload]

    plain, forced = told(), told(OPENBLAS_CORETYPE="Nehalem", OPENBLAS_L2_SIZE="4096")
    assert "Measured without" not in plain
    assert "without OPENBLAS_CORETYPE=Nehalem and OPENBLAS_L2_SIZE=4096" in forced
    assert plain.splitlines()[-1] == forced.splitlines()[-1]


def test_the_use_of_a_process_includes_its_children() -> None:
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


class Stub(Engine):
    """A fake browser that paints 60 frames a second and ends after some scripts."""

    def __init__(self, scripts: int) -> None:
        self.left, self.is_closed = scripts, False

    def open(self, url: str) -> None:
        pass

    def evaluate(self, script: str) -> object:
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("It has closed.\nNobody listens.")
        return [-1000 * self.left / 60, -self.left] if script.startswith("[") else True

    def close(self) -> None:
        self.is_closed = True


def rates(start: Callable[[], Engine]) -> Row:
    """Return the row of a browser, without waiting."""
    heading("Browsers")
    with unittest.mock.patch.object(engines, "time"):
        engines.rates("Firefox", start, "http://localhost/", "58")
    (row,) = tables.pop().rows
    return row


@pytest.mark.parametrize("scripts", [0, 3, 7, 10, 17])
def test_a_browser_that_ends_at_any_time_has_a_row_with_the_reason_and_is_closed(
    scripts: int,
) -> None:
    browser = Stub(scripts)
    assert rates(lambda: browser).here == "not measured: ConnectionError: It has closed."
    assert browser.is_closed


def test_a_browser_that_does_not_end_has_a_row_with_its_rates() -> None:
    row = rates(lambda: Stub(100))
    assert (row.here, row.beside, row.ratio) == ("60.0", "60.0", "1.00")


@pytest.mark.parametrize("name", ["Firefox", "WebKit"])
def test_a_browser_that_is_not_installed_has_a_row_with_its_package(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    row = rates(getattr(engines, name))
    assert row.here.startswith(f"not measured: NotInstalled: There is no {name} (Debian: apt-get ")


QUIET, BUSY = Load(0.1, 0.02), Load(0.1, 0.5)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Run the command with two small groups; return the measured groups and the written text."""
    done: list[str] = []

    def broken() -> None:
        raise BrowserError("The browser has closed.\nCall log: …")

    groups = {"broken": broken, "good": lambda: done.append("measured")}
    monkeypatch.setattr(command, "GROUPS", groups)

    def keep(name: str, _: object, __: object, load: Load) -> None:
        done.append(f"{name} written with {load}")

    monkeypatch.setattr(written, "keep", keep)

    def run(load: Load, *given: str, status: object = 0) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["benchmarks", *given])
        with pytest.raises(SystemExit) as end:
            command.main(lambda: load)
        assert end.value.code == status
        return done

    return run


def test_on_a_busy_machine_nothing_is_written(asked: Callable[..., list[str]]) -> None:
    told = f"Nothing is written, as the machine is busy: {BUSY} (at most {machine.ALLOWED})."
    assert "50 % of the processors" in told
    assert asked(BUSY, "good", "--write", status=told) == []
    assert asked(BUSY, "good") == ["measured"]


def test_written_measurements_state_the_load_of_the_machine(
    asked: Callable[..., list[str]],
) -> None:
    assert asked(QUIET, "good", "--write") == ["measured", f"good written with {QUIET}"]


def test_a_group_whose_browser_ends_is_not_written_and_the_next_group_is_measured(
    asked: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(QUIET, "--write", status=1) == ["measured", f"good written with {QUIET}"]
    assert "not measured: Error: The browser has closed." in capsys.readouterr().out


def test_each_of_the_two_figures_of_the_load_can_make_a_machine_busy() -> None:
    allowed = Load(1, 0.1)
    assert not Load(1, 0.1).is_above(allowed)
    assert Load(1.1, 0).is_above(allowed)
    assert Load(0, 0.11).is_above(allowed)


def test_the_load_counts_every_use_of_the_processors_but_idling_and_waiting_for_disks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "WATCHED", 0.01)
    assert 0 <= machine.load().used <= 1
    # user, nice, system, idle, waiting for disks, two kinds of interrupts, taken by other machines
    ticks = iter([[7] * 8, [17, 8, 12, 77, 12, 9, 8, 13]])
    monkeypatch.setattr(machine, "_times", lambda: next(ticks))
    monkeypatch.setattr(os, "getloadavg", lambda: (0.5, 9.0, 9.0))
    assert machine.load() == Load(0.5, pytest.approx(0.25))


@pytest.mark.skipif(not eager.INSTALLED, reason="PyTorch is not installed")
@pytest.mark.parametrize("size", forward.SIZES[:2], ids=str)
def test_the_compared_model_of_pytorch_has_as_many_parameters(size: forward.Size) -> None:
    config = size.config
    layers = config.encoder_layers, config.decoder_layers
    width = config.feed_forward_width
    other = eager.transformer(config.d_model, config.heads, width, layers)
    of_layers = sum(each.numel() for each in other.parameters())
    words = config.source_vocabulary * config.d_model
    assert of_layers + 3 * words + config.source_vocabulary == config.parameter_count()


def test_operations_of_a_pass_are_the_sum_of_those_of_its_layers() -> None:
    config, n = Config.preset("paper-base"), 64
    layer = layer_cost(config, n)
    decoder = layer.multiply_adds + layer.projections + layer.scores  # with cross-attention
    output = n * config.d_model * config.target_vocabulary
    layers = config.encoder_layers * layer.multiply_adds + config.decoder_layers * decoder
    assert peak.operations(config, n) == 2 * (layers + output)
