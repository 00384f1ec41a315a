"""The four charts of a training run: loss, unseen pairs, learning rate and gradient norm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, NumeralTickFormatter, Range1d, Span
from bokeh.plotting import figure

from ..learning.training_run import TrainingRun
from .style import blank, colors_of

HEIGHT = 170
_LINES: dict[str, list[float]] = {"step": [], "loss": [], "norm": []}
_EVALUATIONS: dict[str, list[float]] = {"step": [], "percent": []}


class TrainingCharts:
    """Figures that are created once and then extended with each new part of a run.

    Axis ranges are set here instead of by the browser, because a new layout of the axes at every
    step would cost it more than drawing the lines.

    Attributes:
        figures: loss, unseen pairs, learning rate and gradient norm.
    """

    def __init__(self, run: TrainingRun | None, previous: TrainingRun | None, dark: bool) -> None:
        self._colors = colors_of(dark)
        self._lines = ColumnDataSource(_copied(_LINES))
        self._lines_before = ColumnDataSource(_copied(_LINES))
        self._evaluations_before = ColumnDataSource(_copied(_EVALUATIONS))
        self._evaluations = ColumnDataSource(_copied(_EVALUATIONS))
        self._schedule = ColumnDataSource({"step": [], "rate": []})
        self._current = ColumnDataSource({"step": [], "rate": []})
        self._clip = Span(
            location=0,
            dimension="width",
            line_color=self._colors["operand"],
            line_dash="dashed",
            line_width=2,
        )
        self._shown = Span(
            dimension="height", line_color=self._colors["accent"], line_width=2, visible=False
        )
        self._steps = Range1d(0, 1)
        self._tops = {name: Range1d(0, 1) for name in ("loss", "rate", "norm")}
        self.figures = self._draw(dark)
        self.start(run, previous)

    def start(self, run: TrainingRun | None, previous: TrainingRun | None) -> None:
        """Draw a run from its first step, over the previous one."""
        self._run, self._steps_drawn, self._evaluations_drawn = run, 0, 0
        self._lines.data = _copied(_LINES)
        self._evaluations.data = _copied(_EVALUATIONS)
        self._lines_before.data = _thinned(previous)
        self._evaluations_before.data = _evaluated(previous)
        if run is None:
            return
        steps = run.steps
        schedule = run.trainer.recipe.learning_rate_schedule(run.trainer.model.config.d_model)
        rates = schedule.learning_rates(steps)
        at = np.unique(np.linspace(1, steps, min(steps, 300)).astype(int))
        self._schedule.data = {"step": at, "rate": rates[at - 1]}
        self._clip.location = run.trainer.recipe.clip or 0
        self._clip.visible = run.trainer.recipe.clip is not None
        self._steps.end = steps
        self._tops["rate"].end = 1.1 * float(rates.max())
        self._tops["loss"].end = 1.3 * math.log(len(run.plan.vocabulary.target))
        self._tops["norm"].end = 2.0
        self.update()

    def update(self) -> None:
        """Append the steps that the run has taken since."""
        if self._run is None:
            return
        metrics = self._run.metrics
        first, last = self._steps_drawn, len(metrics)
        if last > first:
            new = {
                "step": metrics.start + 1 + np.arange(first, last),
                "loss": np.asarray(metrics.loss[first:last]),
                "norm": np.asarray(metrics.gradient_norm[first:last]),
            }
            self._lines.stream(new)
            for name in ("loss", "norm"):
                self._make_room(name, new[name].max())
            self._steps_drawn = last
        evaluations = metrics.evaluations[self._evaluations_drawn :]
        if evaluations:
            self._evaluations.stream(
                {
                    "step": [one.step for one in evaluations],
                    "percent": [one.percent for one in evaluations],
                }
            )
            self._evaluations_drawn = len(metrics.evaluations)
        self._mark(self._run.step)

    def show_step(self, step: int | None) -> None:
        """Mark the step whose model the page shows; None if it is the last one."""
        self._shown.update(location=step or 0, visible=step is not None)
        if self._run is not None:
            self._mark(self._run.step if step is None else step)

    def _mark(self, step: int) -> None:
        """Put the dot at the learning rate of a step; before the first one it is 0."""
        assert self._run is not None
        metrics = self._run.metrics
        at = step - metrics.start - 1
        rate = metrics.learning_rate[at] if 0 <= at < len(metrics) else 0.0
        now = {"step": [step], "rate": [rate]}
        if self._current.data != now:
            self._current.data = now

    def _make_room(self, name: str, highest: float) -> None:
        if highest > self._tops[name].end:
            self._tops[name].end = 1.2 * highest

    def _draw(self, dark: bool) -> list[figure]:
        colors = self._colors

        def chart(title: str, top: Range1d) -> figure:
            plot = blank(
                dark,
                height=HEIGHT,
                title=title,
                x_range=self._steps,
                y_range=top,
                min_border_right=14,
            )
            plot.title.text_color = colors["ink"]
            plot.title.text_font_size = "13px"
            plot.xaxis.axis_label = "step"
            plot.yaxis.ticker.desired_num_ticks = 4
            plot.xaxis.ticker.desired_num_ticks = 4
            return plot

        loss = chart("Loss", self._tops["loss"])
        before = {"color": colors["muted"], "line_dash": "dashed", "line_width": 1.5}
        loss.line("step", "loss", source=self._lines_before, **before)
        losses = loss.line(
            "step", "loss", source=self._lines, color=colors["role-k"], line_width=1.5
        )
        right = chart("Unseen pairs right, %", Range1d(0, 104))
        right.line("step", "percent", source=self._evaluations_before, **before)
        right.line(
            "step", "percent", source=self._evaluations, color=colors["role-v"], line_width=2.5
        )
        shares = right.scatter(
            "step", "percent", source=self._evaluations, color=colors["role-v"], size=5
        )
        rate = chart("Learning rate", self._tops["rate"])
        rates = rate.line(
            "step", "rate", source=self._schedule, color=colors["line-strong"], line_width=2
        )
        rate.scatter("step", "rate", source=self._current, color=colors["accent"], size=11)
        rate.yaxis.formatter = NumeralTickFormatter(format="0.0000")
        norm = chart("Gradient norm", self._tops["norm"])
        norms = norm.line(
            "step", "norm", source=self._lines, color=colors["role-q"], line_width=1.5
        )
        norm.add_layout(self._clip)
        read = [
            (loss, losses, "@loss{0.000}"),
            (right, shares, "@percent{0.0} %"),
            (rate, rates, "@rate{0.00000}"),
            (norm, norms, "@norm{0.000}"),
        ]
        for plot, line, value in read:
            plot.add_layout(self._shown)
            plot.add_tools(
                HoverTool(
                    renderers=[line],
                    mode="vline",
                    line_policy="nearest",
                    limit=1,
                    tooltips=[("step", "@step{0,0}"), (plot.title.text, value)],
                )
            )
        return [loss, right, rate, norm]


def _thinned(run: TrainingRun | None) -> dict[str, Any]:
    """About 300 points of the previous run."""
    if run is None or not len(run.metrics):
        return _copied(_LINES)
    at = np.unique(np.linspace(0, len(run.metrics) - 1, 300).astype(int))
    metrics = run.metrics
    return {
        "step": metrics.start + 1 + at,
        "loss": np.asarray(metrics.loss)[at],
        "norm": np.asarray(metrics.gradient_norm)[at],
    }


def _evaluated(run: TrainingRun | None) -> dict[str, Any]:
    found = run.metrics.evaluations if run is not None else []
    return {"step": [one.step for one in found], "percent": [one.percent for one in found]}


def _copied(columns: dict[str, list[float]]) -> dict[str, Any]:
    return {name: list(values) for name, values in columns.items()}
