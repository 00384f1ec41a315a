"""Components on a page at the other end of a port that takes texts with bytes beside them."""

from .port_page import PortPage
from .status import PageStatus

__all__ = ["PageStatus", "PortPage"]
