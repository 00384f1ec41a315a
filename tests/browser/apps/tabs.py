"""An app of one's own, in which a page is rendered whenever its tab is active."""

import panel as pn
import tinkerformer as tf

pn.extension()
page = tf.panel("phrases", "the black cat", height=420)
pn.Tabs(("The page", page), ("A text", "nothing"), dynamic=True).servable()
