"""Charts: loaded when one is first drawn, and kept up with a run."""

from __future__ import annotations

import subprocess
import sys

from tinkerformer.charts.training import TrainingCharts
from tinkerformer.learning import TrainingRun, TrainingSettings

from transformer_math.data.pairs import read_csv

OWN = read_csv("".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd"))
SETTINGS = TrainingSettings(d_model=4, heads=1, steps=60, warmup=2, batch=1)


def columns(charts: TrainingCharts, figure: int) -> dict[str, list[float]]:
    """What the first line of a chart is drawn from."""
    data = charts.figures[figure].renderers[0].data_source.data
    return {name: list(values) for name, values in data.items()}


def test_a_page_is_made_without_a_chart():
    """Bokeh's plotting is imported by our charts alone, and no chart is drawn yet."""
    script = (
        "import sys; from tinkerformer.page import create_page; create_page();"
        "print([m for m in sys.modules if m.startswith('tinkerformer.charts')"
        " or m == 'bokeh.plotting'])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (found.stdout.strip(), found.returncode) == ("[]", 0), found.stderr


def test_a_run_s_steps_are_added_to_its_charts_once_each():
    run = TrainingRun(SETTINGS, OWN)
    charts = TrainingCharts(run, dark=False)
    assert columns(charts, 0)["step"] == []
    for _ in range(2):
        run.advance()
    charts.update()
    charts.update()
    drawn = columns(charts, 0)
    assert drawn["step"] == [1, 2]
    assert drawn["loss"] == run.metrics.loss
    assert columns(charts, 3)["norm"] == run.metrics.gradient_norm
    assert columns(charts, 1)["percent"] == [run.metrics.evaluations[-1].percent]
    assert charts.figures[0].y_range.end > max(run.metrics.loss)


def test_another_run_is_drawn_from_its_beginning():
    run = TrainingRun(SETTINGS, OWN)
    charts = TrainingCharts(run, dark=True)
    run.advance()
    charts.update()
    other = TrainingRun(SETTINGS.changed("steps", 90), OWN)
    charts.start(other)
    assert columns(charts, 0)["step"] == []
    assert charts.figures[0].x_range.end == 90
    schedule = columns(charts, 2)
    assert schedule["step"][-1] == 90
    assert max(schedule["rate"]) == SETTINGS.peak_learning_rate
