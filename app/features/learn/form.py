"""Builds the form of the training recipe."""

from typing import Any

from ...components.form.fields import note
from ...components.form.settings_form import Section, SettingsForm
from ...model.scenario.recipe_settings import RecipeSettings

# Fields are side by side if there is space.
STYLE = """
.rows { grid-template-columns: repeat(auto-fill, minmax(min(270px, 100%), 1fr)); gap: 4px 40px; }
details { margin-top: 0; }
.kind-note { grid-column: 1 / -1; }
.kind-note .line { justify-content: flex-start; }
.note { max-width: var(--measure); font-size: 14px; }
"""
SCHEDULES = (
    "The paper’s schedule (equation 3): the rate grows evenly during the warm-up, then falls with "
    "the square root of the step; all of it divided by √d_model, with β₁ 0.9, β₂ 0.98, ε 1e-9. "
    "The scaled one has the same shape and the peak chosen here. Both use the warm-up chosen here: "
    "the paper’s 4,000 of 100,000 steps are longer than a whole run of 1,000. Seed "
    "and label smoothing are in the model’s settings."
)


def recipe_form(recipe: RecipeSettings) -> SettingsForm:
    """Create a form whose value is the recipe of the page."""
    return SettingsForm(value=recipe, sections=sections(recipe), stylesheets=[STYLE])


def sections(recipe: RecipeSettings) -> list[Section]:
    """Return the sections of the form: all settings, and the formula of the schedules."""
    own: dict[str, dict[str, Any]] = {}
    if recipe.schedule == "paper":
        own["peak_learning_rate"] = {"disabled": True}
    return [
        Section(recipe.names(), "Recipe", folded=True, own=own, after=(note("about", SCHEDULES),))
    ]
