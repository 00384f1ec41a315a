"""Which fields of a scenario change the structure of the board, and which only its numbers."""

import dataclasses

import pytest
from tinkerformer.board import stages
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.choices import VALUES_ALONE
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.weights import Weights

from transformer_math import initialization

START = Scenario()
VALUES = {
    "edits": START.with_value("source.W_e", (1, 2), 3),
    "mask_seed": dataclasses.replace(START, mask_seed=9),
    "keep_masks": START.with_keep_masks(False),
    "view": START.with_view("plane", "gradient"),
    "weights": START.with_weights(
        Weights(
            initialization.parameters(
                START.config, 5, START.source_vocabulary, START.target_vocabulary
            ),
            START.source_vocabulary,
            START.target_vocabulary,
        )
    ),
    "recipe": START.with_recipe(START.recipe.replace(steps=7, warmup=1)),
    "steps_taken": dataclasses.replace(START, steps_taken=3),
    "trained_with": dataclasses.replace(START, trained_with=START.choices),
    "descent": START.with_descent(START.descent.replace(learning_rate=0.5)),
    "descents": dataclasses.replace(START, descents=2),
}


def test_every_field_that_only_changes_numbers_is_tried():
    assert set(VALUES) == VALUES_ALONE


@pytest.mark.parametrize("name", VALUES)
def test_a_change_of_numbers_keeps_the_structure(name):
    changed = VALUES[name]
    assert changed != START
    assert changed.structure_key == START.structure_key
    before, after = (
        stages.manifest(scenario, ForwardPassRunner().trace(scenario), 1)
        for scenario in (START, changed)
    )
    assert before == after
