"""What the page states is, in every display frame, what the numbers that it paints say.

A visitor's deeds follow each other at random, while ``truth.js`` reads the page in each frame. Many
more frames than in an ordinary run, in another order of deeds:
``TINKERFORMER_TRUTH_FRAMES=20000 TINKERFORMER_TRUTH_SEED=8 pytest test_truth.py``. With
``TINKERFORMER_TRUTH_LEAST=1`` a contradiction of one frame counts, too, as on a quiet machine.
"""

import os

import pytest
from tinkerformer.files import catalog
from tinkerformer.model.scenario.training_data import TrainingData

from tests.browser.conftest import open_first_page, stages_link
from tests.browser.deeds import DEEDS, Deed, Visitor, slide, swing

FRAMES = int(os.environ.get("TINKERFORMER_TRUTH_FRAMES", "900"))
SEED = int(os.environ.get("TINKERFORMER_TRUTH_SEED", "7"))


@pytest.fixture
def visitor(new_context, server: str) -> Visitor:
    return Visitor(open_first_page(new_context(), server), SEED)


def test_every_frame_states_what_its_numbers_say(visitor: Visitor) -> None:
    deeds: list[Deed] = []
    while visitor.frames < FRAMES:
        if not deeds:
            deeds = visitor.random.sample(DEEDS, len(DEEDS))
        visitor.does(deeds.pop())
    wrong = visitor.all_wrong()
    assert not wrong, "\n".join(map(str, wrong))


def test_the_bars_of_a_model_of_many_words_follow_every_frame(new_context, server: str) -> None:
    pairs = "".join(f"a{k} b{k},c{k} d{k}\n" for k in range(150))
    scenario = catalog.of_pairs(TrainingData("own", pairs, "word"))
    link = f"{server}#s={stages_link(scenario, view='picture')}"
    visitor = Visitor(open_first_page(new_context(), link), SEED)
    for deed in (slide, swing):
        visitor.does(deed)
    wrong = visitor.all_wrong()
    assert not wrong, "\n".join(map(str, wrong))
