"""The whole page in an iframe, for hosts that accept components but no address."""

from pathlib import Path

import param

from ..component import Component
from ..esm import esm

HERE = Path(__file__).parent


class Framed(Component):
    """A page given by its address, shown by the same custom element as in course pages."""

    value = param.String(default="", doc="The address of the page.")

    script = param.String(default="", doc="The address of the script that defines the element.")

    height = param.String(default="auto", doc="CSS pixels, or auto: the height of the content.")

    _esm = esm(HERE / "framed.js")
    sheets = ()
