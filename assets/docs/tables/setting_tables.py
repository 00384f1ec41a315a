"""Tables of the settings of the page, from their declarations."""

from __future__ import annotations

import importlib
from typing import Any

import param
from markdown_tables import code, table
from tinkerformer.model.scenario.settings import Settings

HEAD = ("on the page", "name", "values", "default", "description")


def settings_table(where: str) -> str:
    """Return the settings of a class, ``module:Class`` within the package of the page."""
    module, _, name = where.partition(":")
    kind: type[Settings] = getattr(importlib.import_module(f"tinkerformer.{module}"), name)
    rows = []
    for each in kind.names():
        declared, label = kind.param[each], kind.label(each)
        about = " ".join((declared.doc or "").split())
        rows.append((label, code(each), _range(kind, declared), _first(declared), about))
    return table(HEAD, rows)


def _range(kind: type[Settings], declared: Any) -> str:
    if isinstance(declared, param.Boolean):
        return "on, off"
    if isinstance(declared, param.Selector):
        labels = {value: label for label, value in (declared.names or {}).items()}
        return ", ".join(f"{code(x)} {labels.get(x, '')}".strip() for x in declared.objects if x)
    if isinstance(declared, param.ClassSelector):
        return "the rates below"
    limits = kind.declared_limits(declared.name)
    whole = "whole number" if isinstance(declared, param.Integer) else "number"
    low, high = (None if x is None else f"{x:,g}" for x in (limits.low, limits.high))
    ends = f"from {low}" if high is None else f"from {low} to {high}"
    return f"{whole} {ends}"


def _first(declared: Any) -> str:
    value = declared.default
    if value is None:
        return "as suits the model"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Settings):
        return ""
    return code(value)


def parameter_table() -> str:
    """Return the parameters of a page, as a program reads and sets them."""
    parameters = importlib.import_module("tinkerformer.from_python.page_parameters")
    kind, read = parameters.PageParameters, parameters.READ
    names = [(name, group) for group, names in kind.groups.items() for name in names]
    names += [(name, "") for name in ("scenario", "selection", "parts", "lock", *sorted(read))]
    rows = []
    for name, group in names:
        declared = kind.param[name]
        about = " ".join(declared.doc.split()).replace("``", "`")
        rows.append((code(name), group, declared.label if group else "", about))
    return table(("parameter", "group", "on the page", "description"), rows)


TABLES = {"settings-table": settings_table, "parameter-table": parameter_table}
