"""The form of the settings of the next run."""

from __future__ import annotations

from ...components.form.settings_form import Section, SettingsForm
from ...learning import TrainingSettings, texts

# Fields side by side where there is room.
STYLE = """
.rows { grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr)); gap: 4px 40px; }
details { margin-top: 0; }
.kind-note { grid-column: 1 / -1; }
.kind-note .line { justify-content: flex-start; }
.note { max-width: 90ch; font-size: 14px; }
"""
RESTART = {"name": "restart", "kind": "action", "label": "Reset with these settings"}


def training_form(settings: TrainingSettings, of_run: TrainingSettings) -> SettingsForm:
    """A form whose value are the settings of the next run."""
    return SettingsForm(value=settings, sections=sections(settings, of_run), stylesheets=[STYLE])


def sections(settings: TrainingSettings, of_run: TrainingSettings) -> list[Section]:
    """All settings; then what they are about, and a button that begins a run with them."""
    about = {"name": "about", "kind": "note", "label": ""}
    about["value"] = texts.settings_summary(settings, of_run)
    names = settings.names()
    return [Section(names, "Settings", folded=True, after=(about, RESTART))]
