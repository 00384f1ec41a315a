"""A user's app in a dark template, with widgets that are bound to the parameters of a page."""

import panel as pn
import tinkerformer as tf

pn.extension()
page = tf.panel("phrases", "the black cat sat on the mat", height=500)
alone = tf.panel(view="matrix:encoder.0.self_attn.head.0.W_q", sizing_mode="stretch_both")
pn.state.location.sync(page, ["source", "view", "d_model"])
source = pn.widgets.TextInput.from_param(page.param.source, name="Sentence")
seed = pn.widgets.IntInput.from_param(page.param.seed, name="Seed")
closed = pn.widgets.Toggle(name="Closed")
closed.jslink(page, value="disabled")
linked = pn.widgets.TextInput(name="Linked in the browser")
page.jslink(linked, source="value", bidirectional=True)
wears = pn.widgets.Select.from_param(page.param.theme, name="Theme")
view = pn.widgets.Select.from_param(
    page.param.view, name="View", options=["picture", "film", "attention"]
)
said = pn.pane.Str(
    pn.bind(lambda text, view: f"{view}: {text}", page.param.target, page.param.view)
)
controls = page.controls(["d_model", "plane"], jslink=False)
template = pn.template.FastListTemplate(
    title="Mine", theme="dark", sidebar=[source, seed, closed, linked, wears, view, controls]
)
template.main.append(pn.Column(said, page, pn.Column(alone, height=300, width=600)))
template.servable()
