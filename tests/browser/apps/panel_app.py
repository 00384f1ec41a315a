"""A user's app with two pages in it."""

import panel as pn
import tinkerformer as tf

pn.extension()
handle = tf.show(None, "the black cat", height=560)
second = tf.panel("dates", view="encoder.0.self_attn.head.1.weights", height=400)
said = pn.pane.Str("nothing is selected")
button = pn.widgets.Button(name="set it")
again = pn.widgets.Button(name="once more below")


def tell(event):
    said.object = f"{event.new.path} {event.new.row} {event.new.column}"


def set_it(_event):
    handle.set(handle.selection.path, tuple(handle.selection[1:]), 3.5)


handle.param.watch(tell, "selection")
button.on_click(set_it)
everything = pn.Column(pn.Row(button, again, said), handle, second, sizing_mode="stretch_width")
again.on_click(lambda _event: everything.append(handle))
everything.servable()
