"""Finds a browser for the commands that need one."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")


def installed_browser() -> str | None:
    """Return the path of an installed Chromium; None if Playwright must find one."""
    return next(filter(None, map(shutil.which, NAMES)), None)
