"""Charts: loaded when one is first drawn, and kept up with a run."""

from __future__ import annotations

import subprocess
import sys

from tinkerformer.charts.training import TrainingCharts
from tinkerformer.learning import TrainingPlan, TrainingRun

from tests.app.learner import small


def new_run(**recipe) -> TrainingRun:
    return TrainingRun(TrainingPlan.of(small(**{"steps": 60, "batch": 1, **recipe})))


def columns(charts: TrainingCharts, figure: int, line: int = -1) -> dict[str, list[float]]:
    """What a line of a chart is drawn from: the first one is of the run before, if there is one."""
    data = charts.figures[figure].renderers[line].data_source.data
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
    run = new_run()
    charts = TrainingCharts(run, None, dark=False)
    assert columns(charts, 0)["step"] == []
    for _ in range(2):
        run.advance()
    charts.update()
    charts.update()
    drawn = columns(charts, 0)
    assert drawn["step"] == [1, 2]
    assert drawn["loss"] == run.metrics.loss
    assert columns(charts, 3, 0)["norm"] == run.metrics.gradient_norm
    assert columns(charts, 1)["percent"] == [run.metrics.evaluations[-1].percent]
    assert charts.figures[0].y_range.end > max(run.metrics.loss)


def test_another_run_is_drawn_from_its_beginning_over_the_one_before():
    run = new_run()
    charts = TrainingCharts(run, None, dark=True)
    assert columns(charts, 0, 0)["step"] == columns(charts, 1, 0)["step"] == []
    for _ in range(4):
        run.advance()
    charts.update()
    other = new_run(steps=90, schedule="constant", warmup=0, clip=0.0)
    charts.start(other, run)
    assert columns(charts, 0)["step"] == []
    assert columns(charts, 0, 0)["step"] == [1, 2, 3, 4]
    assert columns(charts, 0, 0)["loss"] == run.metrics.loss
    assert columns(charts, 1, 0)["step"] == [one.step for one in run.metrics.evaluations]
    assert charts.figures[0].x_range.end == 90
    schedule = columns(charts, 2, 0)
    assert schedule["step"][-1] == 90
    assert max(schedule["rate"]) == other.plan.recipe.peak_learning_rate
    charts.start(new_run(), None)
    assert columns(charts, 0, 0)["step"] == []


def test_the_run_before_is_thinned():
    run = new_run(steps=5000)
    for step in range(1, 2001):
        for kept in (run.metrics.loss, run.metrics.gradient_norm, run.metrics.learning_rate):
            kept.append(1 / step)
    drawn = columns(TrainingCharts(new_run(), run, dark=False), 0, 0)
    assert 250 < len(drawn["step"]) <= 300
    assert (drawn["step"][0], drawn["step"][-1]) == (1, 2000)
    assert drawn["loss"] == [1 / step for step in drawn["step"]]


def test_the_limit_of_the_gradient_is_drawn_where_there_is_one():
    charts = TrainingCharts(new_run(clip=2.5), None, dark=False)
    assert (charts._clip.visible, charts._clip.location) == (True, 2.5)
    charts.start(new_run(clip=0.0), None)
    assert not charts._clip.visible


def test_before_the_first_run_nothing_is_drawn():
    charts = TrainingCharts(None, None, dark=False)
    charts.update()
    assert len(charts.figures) == 4
    assert columns(charts, 0)["step"] == []
