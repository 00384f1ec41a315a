"""What the page states is, in every display frame, what the numbers that it paints say.

A visitor's deeds follow each other at random, while ``truth.js`` reads the page in each frame. Many
more frames than in an ordinary run, in another order of deeds:
``TINKERFORMER_TRUTH_FRAMES=20000 TINKERFORMER_TRUTH_SEED=8 pytest test_truth.py``.
"""

from __future__ import annotations

import os

import pytest

from tests.browser.conftest import open_first_page
from tests.browser.deeds import DEEDS, Deed, Visitor

FRAMES = int(os.environ.get("TINKERFORMER_TRUTH_FRAMES", "1100"))
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
