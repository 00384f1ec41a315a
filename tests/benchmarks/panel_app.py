"""The same matrices, each as a Bokeh figure, and a slider, as users of Panel would build it.

`tests.benchmarks.panel_page` serves it; it contains no part of the project's page.
"""

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, LinearColorMapper
from bokeh.plotting import figure
from tinkerformer.board.stages.explore import SELECTED, manifest
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.values import matrix_values
from tinkerformer.model.scenario.scenario import Scenario

W_Q = "encoder.0.self_attn.W_q"
CELL = 26  # CSS pixels

scenario, runner = Scenario(), ForwardPassRunner()
trace = runner.trace(scenario)
matrices = manifest(scenario, trace, 1)["matrices"]
paths = [matrix["path"] for matrix in matrices if matrix["path"] != SELECTED]


def read(path, of, trace):
    values = np.asarray(matrix_values(of, trace, path)[0], float)
    rows, columns = values.shape
    i, j = np.mgrid[:rows, :columns]
    return {
        "x": j.ravel(),
        "y": i.ravel(),
        "value": values.ravel(),
        "text": [f"{value:.2f}" for value in values.ravel()],
    }, values.shape


def drawn(path, trace):
    data, (rows, columns) = read(path, scenario, trace)
    source = ColumnDataSource(data, name=path)
    plot = figure(
        width=CELL * columns + 60,
        height=CELL * rows + 60,
        title=path,
        toolbar_location=None,
        y_range=(rows - 0.5, -0.5),
        x_range=(-0.5, columns - 0.5),
        tools="",
    )
    colors = LinearColorMapper(["#f00", "#fff", "#00f"], low=-10, high=10)
    fill = {"field": "value", "transform": colors}
    plot.rect("x", "y", 1, 1, source=source, fill_color=fill, line_color=None)
    middle = {"text_align": "center", "text_baseline": "middle", "text_font_size": "8px"}
    plot.text("x", "y", "text", source=source, **middle)
    return source, plot


sources, plots = zip(*[drawn(path, trace) for path in paths], strict=True)
slider = pn.widgets.FloatSlider(name="W_q", start=-4, end=4, step=0.001, value=0.5)


def follow(event):
    changed = scenario.with_value(W_Q, (0, 0, 0), event.new)
    now = runner.trace(changed)
    for path, source in zip(paths, sources, strict=True):
        source.data = read(path, changed, now)[0]


slider.param.watch(follow, "value")
pn.Column(slider, pn.FlexBox(*plots)).servable()
