"""Which sites may have the page in a frame: all of them, unless the owner says otherwise.

To stand in other pages is what the page is for; who hosts it for one school may say so.
"""

from __future__ import annotations

import os
import re

VARIABLE = "TINKERFORMER_FRAME_ANCESTORS"  # the environment's name for them, with blanks between
ABOUT = (
    "sites that may have the page in a frame, such as \"'self' https://course.example.org\", or "
    "'none' (all of them)"
)
_SITE = re.compile(
    r"'self'|'none'|\*|[a-z]+:|(https?://)?(\*\.)?[\w.-]+(:(\d+|\*))?|https?://\[[\da-f:]+\](:\d+)?"
)


def allow(sites: str) -> None:
    """Allow these and no others, in this process and its children; none named changes nothing.

    Raises:
        ValueError: they are no sites; one sentence.
    """
    if sites.strip():
        os.environ[VARIABLE] = _checked(sites)


def allowed() -> str:
    """The sites, as ``frame-ancestors`` takes them; empty for all of them.

    Raises:
        ValueError: the environment names something else; one sentence.
    """
    return _checked(os.environ.get(VARIABLE, ""))


def _checked(sites: str) -> str:
    for site in sites.split():
        if not _SITE.fullmatch(site.lower()):
            raise ValueError(f"Sites are given as https://a.example https://b, not {site!r:.60}.")
    return " ".join(sites.split())
