"""A button that opens a side panel of the page and shows its most important setting."""

import param

from ..component import Component


class PanelButton(Component):
    """Opens and closes a side panel.

    The page owns the panels, which are popovers.
    """

    value = param.String(default="", doc="What it says of the panel, such as `Settings`.")

    about = param.String(default="", doc="What is in the panel; *Go to …* finds it by this, too.")

    panel = param.String(default="left", doc="The id of the panel's element.")
