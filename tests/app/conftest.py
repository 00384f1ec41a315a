"""Fixtures that remove the changes that a served page makes to this process."""

from collections.abc import Iterator

import pytest
from tinkerformer.transport.security import log


@pytest.fixture(autouse=True)
def whole_log() -> Iterator[None]:
    """Remove the served page's filter of the log, which limits the errors per minute."""
    yield
    for handler in log.handlers():
        handler.removeFilter(log.one_line)
