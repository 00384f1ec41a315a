"""Two sentences side by side, the model's settings as ordinary widgets, and a plot of one word.

Run it with ``panel serve dashboard.py --show``.
"""

import panel as pn
import tinkerformer as tf
from bokeh.plotting import figure

pn.extension()

left = tf.panel("phrases", "the black cat sat on the mat", parts="tokens,answer", height=560)
right = left.clone(source="the black mouse sat in the car")

# Widgets, each bound in both ways to a parameter of the page.
of_left = [
    pn.widgets.TextInput.from_param(left.param.source, name="left sentence"),
    pn.widgets.Select.from_param(left.param.view, name="what is shown"),
    pn.widgets.Checkbox.from_param(left.param.training, name="dropout"),
    pn.widgets.FloatSlider.from_param(left.param.dropout),
]
of_right = pn.widgets.TextInput.from_param(right.param.source, name="right sentence")
right.view = left.param.view  # the right page follows the left one

# A slider for one number of the model: a bias of the feed-forward network.
NUMBER = "encoder.0.feed_forward.b_1"
now = float(left.trace[NUMBER].value[0])
slider = pn.widgets.FloatSlider(name=NUMBER, start=-10, end=10, step=0.1, value=now)


def set_number(event):
    """Set the number on both pages."""
    left.set(NUMBER, 0, event.new)
    right.set(NUMBER, 0, event.new)


slider.param.watch(set_number, "value")


def next_words(page, probabilities):
    """Return a plot of the five likeliest words after the last word that a page wrote."""
    words = page.scenario.output_vocabulary
    best = probabilities[-1].argsort()[-5:]
    names = [words[i] for i in best]
    plot = figure(y_range=names, x_range=(0, 1), height=160, sizing_mode="stretch_width")
    plot.title.text = f"after {page.target}"
    plot.hbar(y=names, right=probabilities[-1][best], height=0.7)
    return plot


def column(page):
    """Return a page, and below it the plot that follows its probabilities."""
    plot = pn.bind(next_words, page, page.param.probabilities)
    return pn.Column(page, pn.panel(plot, sizing_mode="stretch_width"), sizing_mode="stretch_width")


template = pn.template.FastListTemplate(title="Two sentences", sidebar=[*of_left, of_right, slider])
template.main.append(pn.Row(column(left), column(right), sizing_mode="stretch_width"))
template.servable()
