"""What a test leaves of a served page in this process is not there for the next one."""

from collections.abc import Iterator

import pytest
from tinkerformer.transport.security import log


@pytest.fixture(autouse=True)
def whole_log() -> Iterator[None]:
    """A page that is served tells only so many errors a minute; a test looks at its own."""
    yield
    for handler in log.handlers():
        handler.removeFilter(log.one_line)
