"""Figure 1 of the paper, small: where the reader is, and a way to get elsewhere."""

from pathlib import Path

import param

from ..component import Component, styles
from ..esm import esm

HERE = Path(__file__).parent


class Figure(Component):
    """A map of the model; clicking a block scrolls the page to its stage.

    `value` is the stage that is being read; another one takes the reader there. The server only
    says what the model is made of.
    """

    value = param.String(default="", doc="The stage that is read, such as `encoder.0.self_attn`.")

    accepts = ("value",)

    encoder_layers = param.Integer(default=1, bounds=(0, None), doc="0 draws a decoder-only model.")

    decoder_layers = param.Integer(
        default=1, bounds=(0, None), doc="0 draws an encoder-only model."
    )

    norm = param.Selector(default="post", objects=["post", "pre"], doc="Where layer norm stands.")

    final_norm = param.Boolean(default=False, doc="Whether each stack ends with a norm of its own.")

    positions = param.Boolean(default=True, doc="Whether positions are added to the embeddings.")

    residual = param.Boolean(default=True, doc="Whether sublayers add their input again.")

    _esm = esm(HERE / "figure.js")
    _stylesheets = styles(HERE / "figure.css")
