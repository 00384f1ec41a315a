"""Installs all protections of a server."""

import functools
import logging
import secrets
from collections.abc import Mapping
from typing import Any

from bokeh.settings import settings

from ..runtime.limits import MESSAGE_BYTES
from ..runtime.loop_watch import watch_loop
from ..runtime.wrapping import unchecked
from ..security.headers import say_of_all, say_of_pages
from ..security.hosts import BEHIND_PROXY, answer_known_names
from ..security.incoming import take_what_is_expected
from ..security.log import log_in_short
from ..security.own_sessions import keep_sessions_apart, let_in_its_own_pages
from ..security.patches import reject_changes
from ..security.session_limit import EVERY, LIFETIME, keep_to_places
from . import cards, embed_script
from .cached_files import answer_from_memory
from .compression import compress_answers
from .garbage import freeze_what_is_loaded
from .websocket import send_messages_at_once

_LOG = logging.getLogger(__name__)


def guard_process() -> None:
    """Install the protections that apply to all servers of this process; repeats have no effect.

    Raise ``NoSuchMethod`` if the installed release of a library lacks a method that they wrap.
    """
    log_in_short()
    _warn_of_unchecked()
    send_messages_at_once()
    take_what_is_expected(MESSAGE_BYTES)
    keep_to_places()
    keep_sessions_apart()
    let_in_its_own_pages()
    answer_known_names()
    say_of_pages()
    say_of_all()
    cards.say_of_links()
    watch_loop()
    compress_answers()
    answer_from_memory()
    reject_changes()


@functools.cache
def _warn_of_unchecked() -> None:
    if line := unchecked():
        _LOG.warning(line)


def guarded(options: Mapping[str, Any]) -> dict[str, Any]:
    """Add two routes, and the options that protect the server, to the owner's server options.

    Session ids are signed with a secret of this process, unless the owner sets a secret.
    """
    size = "websocket_max_message_size"
    return {
        "unused_session_lifetime_milliseconds": LIFETIME,
        "check_unused_sessions_milliseconds": EVERY,
        **options,
        "extra_patterns": [
            *(options.get("extra_patterns") or ()),
            embed_script.route(),
            cards.route(),
        ],
        size: min(options.get(size, MESSAGE_BYTES), MESSAGE_BYTES),
        "sign_sessions": True,
        "secret_key": options.get("secret_key")
        or settings.secret_key_bytes()
        or secrets.token_bytes(32),
    }


def guard_server(server: Any, options: Mapping[str, Any]) -> None:
    """Install the protections that need an existing server, and prepare its memory."""
    server._tornado.settings[BEHIND_PROXY] = bool(options.get("use_xheaders"))
    freeze_what_is_loaded(server)
