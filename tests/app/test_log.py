import io
import logging

import pytest
from tinkerformer.transport.security import refusals
from tinkerformer.transport.security.log import (
    CAUSES,
    NAMES,
    OneLine,
    handlers,
    log_in_short,
    one_line,
)
from tinkerformer.transport.security.refusals import LONGEST, MOST, SECONDS

LONG = "x" * 1_000_000


@pytest.fixture
def log():
    """A logger of Bokeh, its clock, and its output."""
    now, written = [0.0], io.StringIO()
    logger = logging.Logger("bokeh.server.views.ws")
    handler = logging.StreamHandler(written)
    handler.addFilter(OneLine(lambda: now[0]))
    logger.addHandler(handler)
    return logger, now, written


def wrong_number(raw):
    raise KeyError(raw)


def fail(logger, raw):
    try:
        wrong_number(raw)
    except KeyError as error:
        logger.error("handling %r: %r", raw, error, exc_info=True)


def test_an_error_is_logged_with_its_traceback_and_a_shortened_message(log):
    logger, _, written = log
    fail(logger, LONG + "\nForged: a line\n")
    text = written.getvalue()
    assert "in wrong_number" in text
    assert "KeyError: " in text
    assert len(text) < 3 * LONGEST + 1000
    logger.error("handling %s", "as it is")
    assert text + "handling as it is\n" == written.getvalue()


def test_text_from_a_browser_cannot_start_a_new_line(log):
    logger, _, written = log
    fail(logger, "a\nForged: a line\n\u202e")
    assert "\nForged" not in written.getvalue()
    assert written.getvalue().isascii()


def test_a_chain_of_causes_is_logged_from_the_first_cause_on(log):
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


def test_records_above_the_limit_are_only_counted(log):
    logger, now, written = log
    for _ in range(MOST + 30):
        fail(logger, LONG)
    assert written.getvalue().count("Traceback") == MOST
    now[0] += SECONDS
    fail(logger, LONG)
    assert written.getvalue().count("Traceback") == MOST + 1
    assert "(30 more before this one were not written)" in written.getvalue()


def test_a_record_without_an_error_is_one_short_line(log):
    logger, now, written = log
    for said in (f"from {LONG}", "a\nForged: a line\n\u202e", "\u202e" * 1000):
        logger.warning("Refusing a connection %s", said)
    lines = written.getvalue().splitlines()
    assert [len(line) for line in lines] == [LONGEST, len(lines[1]), LONGEST]
    assert lines[1] == r"Refusing a connection a\nForged: a line\n\u202e"
    for _ in range(MOST):
        logger.warning("once more")
    assert len(written.getvalue().splitlines()) == MOST
    now[0] += SECONDS
    logger.warning("later")
    assert written.getvalue().endswith("later (3 more before this one were not written)\n")


def test_the_limit_of_one_kind_of_record_does_not_affect_another_kind(log):
    logger, _, written = log
    for _ in range(MOST + 1):
        logger.warning("a visitor's")
    fail(logger, "an error of the page")
    logger.error("of the server's")
    assert "KeyError: " in written.getvalue()
    assert written.getvalue().endswith("of the server's\n")


class Unwritable:
    def __repr__(self):
        raise KeyError(LONG)


def test_a_record_that_cannot_be_formatted_is_one_line(log, capsys):
    logger, _, written = log
    logger.error("handling %r", Unwritable())
    assert written.getvalue() == "A record that cannot be written: KeyError\n"
    assert capsys.readouterr().err == ""


def test_two_handlers_write_the_same_records(log):
    logger, _, written = log
    other = io.StringIO()
    logger.addHandler(logging.StreamHandler(other))
    logger.handlers[1].addFilter(logger.handlers[0].filters[0])
    for _ in range(MOST + 5):
        fail(logger, "x")
    assert other.getvalue() == written.getvalue()
    assert other.getvalue().count("Traceback") == MOST


def test_records_of_other_libraries_are_unchanged():
    record = logging.LogRecord("theirs", logging.ERROR, "", 0, f"{LONG}\n\n", None, None)
    assert OneLine().filter(record)
    assert record.getMessage() == f"{LONG}\n\n"


def test_every_handler_of_these_loggers_is_found(monkeypatch):
    found = logging.StreamHandler(io.StringIO())
    logging.getLogger("tornado.general").addHandler(found)
    try:
        assert {found, *logging.getLogger().handlers, logging.lastResort} <= {*handlers()}
        log_in_short()
        log_in_short()
        assert all(each.filters.count(one_line) == 1 for each in handlers())
    finally:
        logging.getLogger("tornado.general").removeHandler(found)
    assert refusals.__name__.partition(".")[0] in NAMES
