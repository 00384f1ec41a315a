"""Restricts the sites that may embed the page in a frame; by default all may.

The page is meant to be embedded, but a server for one school can restrict it to that school.
"""

import os
import re

VARIABLE = "TINKERFORMER_FRAME_ANCESTORS"  # environment variable: sites, separated by spaces
ABOUT = (
    "sites that may show the page in a frame, such as \"'self' https://course.example.org\", or "
    "'none' (all sites)"
)
_SITE = re.compile(
    r"'self'|'none'|\*|[a-z]+:|(https?://)?(\*\.)?[\w.-]+(:(\d+|\*))?|https?://\[[\da-f:]+\](:\d+)?"
)


def allow(sites: str) -> None:
    """Allow only these sites, in this process and its children; an empty list changes nothing.

    Raise ``ValueError`` with one sentence if an entry is not a site.
    """
    if sites.strip():
        os.environ[VARIABLE] = _checked(sites)


def allowed() -> str:
    """Return the allowed sites, in the syntax of ``frame-ancestors``; empty for all."""
    return _checked(os.environ.get(VARIABLE, ""))


def _checked(sites: str) -> str:
    for site in sites.split():
        if not _SITE.fullmatch(site.lower()):
            raise ValueError(f"Sites are given as https://a.example https://b, not {site!r:.60}.")
    return " ".join(sites.split())
