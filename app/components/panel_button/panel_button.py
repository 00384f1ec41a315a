"""A button that opens a panel of the page, and says the most important thing in it."""

from __future__ import annotations

from pathlib import Path

import param

from ..component import Component, module, styles

HERE = Path(__file__).parent


class PanelButton(Component):
    """Opens and closes a panel.

    Panels belong to the page: the button asks for one with `tinkerformer:ask-panel`, and shows
    whether it is open when the page says so with `tinkerformer:panel`.
    """

    value = param.String(default="", doc="What it says of the panel, such as `d_model 8`.")

    panel = param.String(default="left", doc="The id of the panel's element.")

    _esm = module(HERE / "panel_button.js")
    _stylesheets = styles(HERE / "panel_button.css")
