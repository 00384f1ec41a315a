"""A button that opens a side panel of the page and shows its most important setting."""

import param

from ..component import Component


class PanelButton(Component):
    """Opens and closes a side panel.

    The panels belong to the page; they are popovers.
    """

    value = param.String(default="", doc="The label of the button, such as `Settings`.")

    about = param.String(default="", doc="The content of the panel, by which *Go to …* finds it.")

    panel = param.String(default="left", doc="The id of the panel's element.")
