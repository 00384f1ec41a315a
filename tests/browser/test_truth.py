"""In every display frame, the page's statements agree with the numbers that it paints.

Random actions of a visitor follow each other, while ``truth.js`` reads the page in each frame. For
more frames in another order of actions: ``TINKERFORMER_TRUTH_FRAMES=20000 TINKERFORMER_TRUTH_SEED=8
pytest test_truth.py``. With ``TINKERFORMER_TRUTH_LEAST=1`` a contradiction of one frame counts,
too, for a machine that is not busy.
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


def test_the_statements_of_every_frame_agree_with_its_numbers(visitor: Visitor) -> None:
    deeds: list[Deed] = []
    while visitor.frames < FRAMES:
        if not deeds:
            deeds = visitor.random.sample(DEEDS, len(DEEDS))
        visitor.does(deeds.pop())
    wrong = visitor.all_wrong()
    assert not wrong, "\n".join(map(str, wrong))


def test_the_bars_of_a_model_of_many_words_agree_with_every_frame(new_context, server: str) -> None:
    pairs = "".join(f"a{k} b{k},c{k} d{k}\n" for k in range(150))
    scenario = catalog.of_pairs(TrainingData("own", pairs, "word"))
    link = f"{server}#s={stages_link(scenario, view='picture')}"
    visitor = Visitor(open_first_page(new_context(), link), SEED)
    for deed in (slide, swing):
        visitor.does(deed)
    wrong = visitor.all_wrong()
    assert not wrong, "\n".join(map(str, wrong))
