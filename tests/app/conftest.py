"""What a test leaves of a served page in this process is not there for the next one."""

import logging
from collections.abc import Iterator

import pytest
from tinkerformer.runtime.faults import LOGGERS, Faults


@pytest.fixture(autouse=True)
def whole_log() -> Iterator[None]:
    """A page that is served tells only so many errors a minute; a test looks at its own."""
    yield
    for logger in map(logging.getLogger, LOGGERS):
        for each in [each for each in logger.filters if isinstance(each, Faults)]:
            logger.removeFilter(each)
