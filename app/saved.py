"""A scenario as plain data and back, for links, files and scripts. Pure: no panel.

Only what differs from the default is written. Reading goes through the same checks as a
visitor's own changes, so nothing out of range can come in by a link.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from app.scenario import Scenario

VERSION = 1


def plain(scenario: Scenario) -> dict[str, Any]:
    """The scenario as dicts, lists, numbers and text."""
    default = Scenario()
    data: dict[str, Any] = {"version": VERSION}
    for name in ("source", "target", "answers"):
        if getattr(scenario, name) != getattr(default, name):
            data[name] = list(getattr(scenario, name))
    for name in ("settings", "view"):
        changed = _differences(getattr(scenario, name), getattr(default, name))
        if changed:
            data[name] = changed
    for name in ("training", "mask_seed", "keep_masks"):
        if getattr(scenario, name) != getattr(default, name):
            data[name] = getattr(scenario, name)
    if scenario.edits:
        data["edits"] = [[e.path, list(e.place), value] for e, value in scenario.edits.items()]
    return data


def text(scenario: Scenario) -> str:
    """The scenario as JSON."""
    return json.dumps(plain(scenario), ensure_ascii=False, separators=(",", ":"))


def _differences(value: Any, default: Any) -> dict[str, Any]:
    found = {}
    for field in dataclasses.fields(value):
        mine, other = getattr(value, field.name), getattr(default, field.name)
        if mine != other:
            is_group = dataclasses.is_dataclass(mine)
            found[field.name] = _differences(mine, other) if is_group else mine
    return found
