import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan
from tinkerformer.model.scenario.recipe_settings import RecipeSettings

from transformer_math import Recipe
from transformer_math.ops.loss import SMOOTHING_FORMS


@st.composite
def recipes(draw):
    """Draw any valid recipe."""
    schedule = draw(st.sampled_from(["linear", "noam", "paper", "constant"]))
    steps = draw(st.integers(1, 5000))
    most = steps - 1 if schedule == "linear" else 5000
    return RecipeSettings(
        steps=steps,
        batch=draw(st.integers(1, 256)),
        schedule=schedule,
        peak_learning_rate=draw(st.floats(1e-5, 1.0)),
        warmup=draw(st.integers(0, most)),
        clip=draw(st.just(0) | st.floats(0, 100)),
        beta_1=draw(st.floats(0, 0.9999)),
        beta_2=draw(st.floats(0, 0.9999)),
        epsilon=draw(st.floats(1e-12, 1.0)),
    )


@given(recipes(), st.integers(0, 2**31 - 1), st.floats(0, 0.9), st.sampled_from(SMOOTHING_FORMS))
def test_every_recipe_is_valid_in_transformer_math_and_can_be_converted_back(
    settings, seed, smoothing, form
):
    recipe = settings.recipe(seed, smoothing, form)
    assert (recipe.seed, recipe.smoothing, recipe.smoothing_form) == (seed, smoothing, form)
    assert (recipe.clip or 0.0) == settings.clip
    assert RecipeSettings.of(recipe) == settings
    assert RecipeSettings().from_dict(settings.to_dict(RecipeSettings())) == settings
    assert recipe.learning_rate_schedule(8)(1) >= 0


@pytest.mark.parametrize("name", ["phrases", "dates"])
def test_a_trained_model_opens_with_its_own_recipe(name):
    scenario = catalog.first(name)
    assert scenario.recipe == RecipeSettings.of(Recipe.preset(name))
    plan = TrainingPlan.of(scenario)
    assert plan.recipe == Recipe.preset(name, seed=scenario.settings.seed)
    assert scenario.steps_taken == plan.recipe.steps


def test_a_recipe_beyond_the_limits_of_the_page_is_refused():
    with pytest.raises(ValueError, match="steps is a whole number from 1 to 5,000"):
        RecipeSettings.of(Recipe(steps=6000))
    with pytest.raises(ValueError, match="pairs in a batch"):
        RecipeSettings.of(Recipe(batch=300))


def test_seed_and_smoothing_of_a_training_run_are_settings_of_the_model():
    scenario = catalog.first("phrases").with_setting("label_smoothing", "0.3")
    scenario = scenario.with_setting("smoothing_form", "torch").with_setting("seed", "5")
    recipe = TrainingPlan.of(scenario).recipe
    assert (recipe.smoothing, recipe.smoothing_form, recipe.seed) == (0.3, "torch", 5)
    assert not {"seed", "smoothing"} & {*RecipeSettings.names()}
