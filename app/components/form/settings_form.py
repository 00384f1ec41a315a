"""A form generated from the declarations of a class of settings."""

from typing import Any, NamedTuple

import param

from .form import Fields


class Section(NamedTuple):
    """A group of settings in a form.

    Attributes:
        names: the settings, in order; a dot, as in ``dropout.activation``, names a nested group.
        heading: the title above the settings.
        folded: whether the section starts closed.
        own: overrides of field descriptions, by setting, such as fewer options.
        before: other fields before the settings, such as notes.
        after: other fields after the settings, such as buttons.
    """

    names: tuple[str, ...]
    heading: str = ""
    folded: bool = False
    own: dict[str, dict[str, Any]] = {}  # noqa: RUF012 -- read only, like the whole tuple
    before: tuple[dict[str, Any], ...] = ()
    after: tuple[dict[str, Any], ...] = ()


class SettingsForm(Fields):
    """A form whose `value` is a settings object; each change replaces it by a new object.

    A value that the declaration or a watcher of `value` refuses with a ValueError is not set, and
    the error's sentence is shown at the field.
    """

    value: Any = param.Parameter(default=None, doc="The settings.", precedence=-1)

    sections = param.List(
        default=[], item_type=Section, doc="The settings to show, by section.", precedence=-1
    )

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(self._show, ["value", "sections"])
        self._show()

    def change(self, name: str, raw: Any) -> None:
        """Replace the settings; see `Fields.change`."""
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
