"""A user's app with two pages below other content; both pages scroll inside."""

import panel as pn
import tinkerformer as tf

pn.extension()
pn.Column(
    pn.Spacer(height=900),
    tf.panel(view="lesson:attention", height=420),
    tf.panel(view="film", height=420),
).servable()
