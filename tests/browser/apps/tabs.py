"""A user's app that renders a page whenever the page's tab becomes active."""

import panel as pn
import tinkerformer as tf

pn.extension()
page = tf.panel("phrases", "the black cat", height=420)
pn.Tabs(("The page", page), ("A text", "nothing"), dynamic=True).servable()
