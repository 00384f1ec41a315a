import pytest
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan
from tinkerformer.learning.difference import difference
from tinkerformer.learning.experiments import (
    EXPERIMENTS,
    experiment_of,
    is_as_measured,
    with_experiment,
)
from tinkerformer.model.inference.forward_pass import ForwardPassRunner

from tests.app.learner import small

NAMES = [one.name for one in EXPERIMENTS]
WHOLES = {"phrases": catalog.first("phrases"), "dates": catalog.first("dates"), "own": small()}
EACH = pytest.mark.parametrize("name", NAMES)
EVERY = pytest.mark.parametrize("whole", WHOLES.values(), ids=WHOLES)


@EVERY
@EACH
def test_each_experiment_is_recognized_and_undone(name, whole):
    assert experiment_of(whole, whole) == "none"
    without = with_experiment(whole, name, whole)
    assert experiment_of(without, whole) == name
    assert TrainingPlan.of(without) != TrainingPlan.of(whole)
    back = with_experiment(without, "none", whole)
    assert experiment_of(back, whole) == "none"
    assert (back.settings, back.recipe) == (whole.settings, whole.recipe)


@EVERY
@EACH
def test_only_one_experiment_is_active_at_a_time(name, whole):
    for other in NAMES:
        twice = with_experiment(with_experiment(whole, other, whole), name, whole)
        once = with_experiment(whole, name, whole)
        assert (twice.settings, twice.recipe) == (once.settings, once.recipe)


@EACH
def test_an_experiment_keeps_the_text_and_the_seed(name):
    whole = WHOLES["phrases"]
    now = whole.with_tokens("source", ["a", "zebra"]).with_setting("seed", "12")
    without = with_experiment(now, name, whole)
    assert (without.source, without.settings.seed) == (("a", "zebra"), 12)
    assert experiment_of(without, whole) == name


def test_each_experiment_removes_the_part_in_its_name():
    whole = WHOLES["phrases"]

    def plan(name):
        return TrainingPlan.of(with_experiment(whole, name, whole))

    assert plan("positions").config.positions == "none"
    assert plan("residual").config.residual is False
    assert plan("scale").config.attention_scale == "none"
    assert plan("mask").config.causal_mask is False
    assert plan("warmup").recipe.warmup == 0
    assert plan("none") == TrainingPlan.of(whole)


@EACH
def test_an_experiment_keeps_the_numbers_of_the_model_and_computes_others_with_them(name):
    whole = WHOLES["phrases"]
    without = with_experiment(whole, name, whole)
    assert without.weights is whole.weights
    logits = [
        ForwardPassRunner().trace(scenario)["output.logits"].value for scenario in (whole, without)
    ]
    assert (logits[0] != logits[1]).any() == (name != "warmup")


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.with_setting("positions", "none").with_setting("residual", False),
        lambda s: s.with_setting("positions", "learned"),
        lambda s: s.with_recipe(s.recipe.replace(warmup=7)),
    ],
)
def test_other_combinations_of_settings_are_custom(change):
    whole = WHOLES["phrases"]
    assert experiment_of(change(whole), whole) == "own"


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.with_setting("d_model", "12"),
        lambda s: s.with_recipe(s.recipe.replace(steps=500)),
        lambda s: s.with_setting("label_smoothing", "0"),
    ],
)
def test_an_experiment_keeps_sizes_and_recipe_and_says_that_its_results_are_for_others(change):
    whole = WHOLES["phrases"]
    other = change(whole)
    assert experiment_of(other, whole) == "none"
    asked = with_experiment(other, "residual", whole)
    assert experiment_of(asked, whole) == "residual"
    assert asked.settings == other.settings.replace(residual=False)
    assert asked.recipe == other.recipe
    assert not is_as_measured(asked, "residual", whole)
    assert is_as_measured(with_experiment(whole, "residual", whole), "residual", whole)


@EVERY
@pytest.mark.parametrize("steps", [1, 50, 100])
@pytest.mark.parametrize("schedule", ["linear", "constant"])
def test_the_restored_warm_up_is_as_long_as_the_steps_allow(whole, steps, schedule):
    few = whole.with_recipe(whole.recipe.replace(warmup=0, steps=steps, schedule=schedule))
    for name in ("none", *NAMES):
        asked = with_experiment(few, name, whole)
        most = whole.recipe.warmup if name != "warmup" else 0
        assert asked.recipe.warmup == (min(most, steps - 1) if schedule == "linear" else most)
        # Without room for a warm-up, the experiment without one changes nothing.
        is_alike = (name, steps, schedule) == ("warmup", 1, "linear")
        assert experiment_of(asked, whole) == ("none" if is_alike else name)


def test_an_unknown_experiment_is_refused():
    whole = WHOLES["phrases"]
    for name in ("own", "softmax", ""):
        with pytest.raises(ValueError, match=f"no experiment called “{name}”"):
            with_experiment(whole, name, whole)


def test_labels_and_names_are_unique():
    assert len({one.label for one in EXPERIMENTS}) == len(set(NAMES)) == len(EXPERIMENTS)
    assert not {"none", "own"} & {*NAMES}
    for one in EXPERIMENTS:
        for sentence in one.about.values():
            assert sentence.endswith(".")


# -- differences between two runs ------------------------------------------------------------------

DASHED = "Dashed: the run before"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s, f"{DASHED}, with the same settings."),
        (lambda s: s.with_tokens("source", ["a", "b"]), f"{DASHED}, with the same settings."),
        (lambda s: s.with_setting("heads", "1"), f"{DASHED}; it had heads: 1."),
        (lambda s: s.with_setting("seed", "7"), f"{DASHED}; it had seed: 7."),
        (
            lambda s: s.with_setting("label_smoothing", "0.3"),
            f"{DASHED}; it had label smoothing: 0.3.",
        ),
        (lambda s: s.with_setting("residual", False), f"{DASHED}; it had residual"),
        (lambda s: s.with_setting("positions", "none"), f"{DASHED}; it had positions: "),
        (lambda s: s.with_training(True), f"{DASHED}; it had dropout rates: other ones."),
        (
            lambda s: s.with_recipe(s.recipe.replace(steps=20, batch=8)),
            f"{DASHED}; it had steps: 20, pairs in a batch: 8.",
        ),
        (
            lambda s: s.with_recipe(s.recipe.replace(schedule="noam", clip=0.0)),
            f"{DASHED}; it had schedule: the paper’s, scaled, clip the gradient at: 0.0.",
        ),
    ],
)
def test_differences_are_named_by_the_earlier_values(change, said):
    now = small()
    found = difference(TrainingPlan.of(change(now)), TrainingPlan.of(now))
    assert found.startswith(said)
    assert found.endswith(".")


def test_of_many_differences_only_some_are_named():
    now = small()
    before = now.with_recipe(now.recipe.replace(steps=20, batch=8, clip=0.5, beta_1=0.5, warmup=3))
    before = before.with_setting("seed", "3")
    found = difference(TrainingPlan.of(before), TrainingPlan.of(now))
    assert found.count(":") == 1 + 4
    assert found.endswith(" and 2 more.")


@pytest.mark.parametrize("name", NAMES)
def test_a_run_with_an_experiment_is_named_by_it(name):
    whole = WHOLES["phrases"]
    plans = [TrainingPlan.of(s) for s in (with_experiment(whole, name, whole), whole)]
    assert difference(*plans).count(":") == 2
    assert difference(*plans) != difference(*plans[::-1])
