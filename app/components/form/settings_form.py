"""A form made from a class of settings, as their declarations say."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, Self

import param

from .form import Fields


class Editable(Protocol):
    """Settings that can be shown in a form: each declared once, with all that a form asks."""

    def field(self, name: str) -> Any:
        """A setting as a form shows it."""

    def changed(self, name: str, raw: Any) -> Self:
        """The settings with one of them replaced by what was typed; a ValueError refuses."""


class Section(NamedTuple):
    """Settings that stand together.

    Attributes:
        names: the settings, in order; ``dropout.activation`` is one of a group of settings.
        heading: over them.
        folded: whether the section starts closed.
        own: what is other than declared, by the setting's name: narrower options, for instance.
        before: fields that are no settings, such as notes, before them.
        after: the same behind them, such as buttons.
    """

    names: tuple[str, ...]
    heading: str = ""
    folded: bool = False
    own: dict[str, dict[str, Any]] = {}  # noqa: RUF012 -- read only, as all of a tuple
    before: tuple[dict[str, Any], ...] = ()
    after: tuple[dict[str, Any], ...] = ()


class SettingsForm(Fields):
    """A form whose `value` are settings; each change makes new ones of them.

    What does not fit is refused by the declaration, in a sentence beside the field; and so is what
    a watcher of `value` refuses with a ValueError.
    """

    value: Any = param.Parameter(default=None, doc="The settings.", precedence=-1)

    sections = param.List(
        default=[], item_type=Section, doc="Which settings are shown, and how.", precedence=-1
    )

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(self._show, ["value", "sections"])
        self._show()

    def change(self, name: str, raw: Any) -> None:
        """See `Fields.change`."""
        try:
            self.value = self.value.changed(name, raw)
        except ValueError as error:
            typed = str(raw).strip()[:20]
            raise ValueError(f"“{typed}” does not fit. {error}" if typed else str(error)) from None

    def _show(self, *_: Any) -> None:
        fields = [
            {**field, "group": section.heading, "folded": section.folded}
            for section in self.sections
            for field in (*section.before, *self._fields(section), *section.after)
        ]
        if fields != self.fields:
            self.fields = fields

    def _fields(self, section: Section) -> list[dict[str, Any]]:
        return [{**self.value.field(name), **section.own.get(name, {})} for name in section.names]
