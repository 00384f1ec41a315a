"""The picture of growing costs: a chart for each size that can grow, in the page's colors."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bokeh.embed import file_html
from bokeh.layouts import gridplot
from bokeh.models import BasicTickFormatter
from bokeh.plotting import figure
from bokeh.resources import INLINE
from playwright.sync_api import sync_playwright
from tinkerformer.charts.style import blank, colors_of
from tinkerformer.theme import FONTS

from tests.benchmarks.serving import launched

WIDTH, HEIGHT, NOTE = 960, 330, 40  # CSS pixels: of the picture, of a row of charts, of the note
TICKS = [digit * 10**power for power in range(-3, 6) for digit in (1, 2, 5)]
LINES = (("role-q", "solid"), ("operand-ink", "dashed"))


class Curve(NamedTuple):
    """The measurements of one chart."""

    title: str
    label: str  # the quantity that grows, with its unit
    sizes: Sequence[int]
    lines: dict[str, list[float]]  # name -> milliseconds at each size


def chart(curve: Curve) -> figure:
    """Draw curves on logarithmic axes, with a tick at each measured size."""
    colors = colors_of(False)
    plot = blank(
        False,
        height=HEIGHT,
        title=curve.title,
        x_axis_label=curve.label,
        y_axis_label="milliseconds",
        x_axis_type="log",
        y_axis_type="log",
    )
    for (name, times), (color, dash) in zip(curve.lines.items(), LINES, strict=False):
        look = {"color": colors[color], "legend_label": name}
        plot.line(curve.sizes, times, line_width=2.5, line_dash=dash, **look)
        plot.scatter(curve.sizes, times, size=7, **look)
    plot.sizing_mode, plot.width = "fixed", WIDTH // 2
    plot.xaxis.ticker = list(curve.sizes)
    plot.yaxis.ticker, plot.yaxis.formatter = TICKS, BasicTickFormatter(use_scientific=False)
    plot.title.text_color, plot.title.text_font = colors["ink"], FONTS["font-text"]
    plot.title.text_font_size = "15px"
    for axis in plot.axis:
        axis.axis_label_text_font_size = axis.major_label_text_font_size = "13px"
    plot.add_layout(plot.legend[0], "above")  # beside the ends of the curves
    plot.legend.orientation, plot.legend.location = "horizontal", "left"
    plot.legend.padding, plot.legend.margin, plot.legend.spacing = 0, 4, 16
    plot.legend.label_text_font_size = "13px"
    plot.legend.label_text_color = colors["ink"]
    plot.legend.background_fill_alpha = plot.legend.border_line_alpha = 0
    return plot


def draw(curves: Sequence[Curve], told: str, file: Path) -> None:
    """Draw all charts as one picture, two in a row, with a note below them."""
    grid = gridplot([chart(curve) for curve in curves], ncols=2, toolbar_location=None)
    colors = colors_of(False)
    style = f"font: 13px {FONTS['font-text']}; color: {colors['muted']}; margin: 4px 8px"
    note = f"<p style='{style}'>{told}</p>"
    page_style = f"<style>body {{ margin: 0; background: {colors['paper']} }}</style>"
    html = file_html(grid, INLINE, "How cost grows")
    html = html.replace("</head>", f"{page_style}</head>").replace("</body>", f"{note}</body>")
    file.parent.mkdir(exist_ok=True)
    rows = -(-len(curves) // 2)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        size = {"width": WIDTH, "height": rows * HEIGHT + NOTE}
        page = browser.new_page(viewport=size, device_scale_factor=2)  # type: ignore[arg-type]
        page.set_content(html)
        page.wait_for_function("Bokeh.documents[0]?.is_idle")
        page.screenshot(path=file)
        browser.close()
