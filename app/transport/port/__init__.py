"""Components behind a port: a channel that carries texts and binary buffers."""

from .port_page import PortPage
from .status import PageStatus

__all__ = ["PageStatus", "PortPage"]
