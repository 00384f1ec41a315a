"""Errors in the log: where they arose is told, and little of what a browser made them say."""

import io
import logging

import pytest
from tinkerformer.runtime.faults import CAUSES, LOGGERS, LONGEST, MOST, SECONDS, Faults

LONG = "x" * 1_000_000


@pytest.fixture
def log():
    """A logger as libraries have one, its clock, and what it has written."""
    now, written = [0.0], io.StringIO()
    logger = logging.Logger("a library's")
    logger.addHandler(logging.StreamHandler(written))
    logger.addFilter(Faults(lambda: now[0]))
    return logger, now, written


def wrong_number(raw):
    raise KeyError(raw)


def fail(logger, raw):
    try:
        wrong_number(raw)
    except KeyError as error:
        logger.error("handling %r: %r", raw, error, exc_info=True)


def test_the_way_to_an_error_is_told_and_little_of_what_it_says(log):
    logger, _, written = log
    fail(logger, LONG + "\nForged: a line\n")
    text = written.getvalue()
    assert "in wrong_number" in text
    assert "KeyError: " in text
    assert len(text) < 3 * LONGEST + 1000
    logger.error("handling %s", "as it is")
    assert text + "handling as it is\n" == written.getvalue()


def test_nothing_that_a_browser_says_makes_a_line_of_its_own(log):
    logger, _, written = log
    fail(logger, "a\nForged: a line\n\u202e")
    assert "\nForged" not in written.getvalue()
    assert written.getvalue().isascii()


def test_causes_are_told_from_the_first_one_on(log):
    logger, _, written = log
    error = None
    for n in range(CAUSES + 3):
        try:
            raise ValueError(f"number {n}") from error
        except ValueError as found:
            error = found
    logger.error("It failed.", exc_info=error)
    said = [line for line in written.getvalue().splitlines() if line.startswith("ValueError")]
    assert [line.partition("number ")[2][0] for line in said] == ["3", "4", "5", "6"]


def test_of_too_many_only_the_number_is_told(log):
    logger, now, written = log
    for _ in range(MOST + 30):
        fail(logger, LONG)
    assert written.getvalue().count("Traceback") == MOST
    now[0] += SECONDS
    fail(logger, LONG)
    assert written.getvalue().count("Traceback") == MOST + 1
    assert "(30 more went wrong before)" in written.getvalue()


def test_the_loggers_are_those_that_are_used():
    import bokeh.server.protocol_handler
    import bokeh.server.views.ws
    import bokeh.util.tornado
    import tornado.log
    from tinkerformer import restoring
    from tinkerformer.components.board import board
    from tinkerformer.components.carriers.port import port_page
    from tinkerformer.runtime import in_turn, latest

    modules = (bokeh.server.protocol_handler, bokeh.server.views.ws, bokeh.util.tornado)
    used = {module.log.name for module in modules} | {tornado.log.app_log.name, "asyncio"}
    own = (restoring, board, port_page, latest, in_turn)
    assert {*LOGGERS} == used | {module._LOG.name for module in own}
