import dataclasses
import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings, strategies
from tinkerformer.cli import lesson as lesson_command
from tinkerformer.dares import checking, words
from tinkerformer.dares.attempt import Attempt
from tinkerformer.dares.checking import attempt_of
from tinkerformer.dares.retrained import MAX_STEPS, retrained
from tinkerformer.dares.score import Score, score
from tinkerformer.files import catalog as models
from tinkerformer.from_python.program_page import address_of
from tinkerformer.lessons.catalog import catalog
from tinkerformer.lessons.changes import begun
from tinkerformer.lessons.problem import LessonProblem
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session import link
from tinkerformer.session.address import page_address
from tinkerformer.session.lesson_progress import DARE_STEP, LessonProgress
from tinkerformer.session.session_json import SavedSession
from tinkerformer.shell.page import create_page

from tests.app.test_lessons import DARE, HEAD, lesson
from transformer_math.experiments import Wish

from .dare_search import PROBABILITIES, Search, edited, mask

NAMES = [each.name for each in catalog().lessons.values() if each.dare_step is not None]
# The size of one unit in the last digit of a search's limit, and of a number in a file.
TOLERANCE = 0.03


@cache
def opened(name: str):
    found = catalog().lessons[name]
    dare = found.steps[found.dare_step].dare
    return dare, begun(found, found.dare_step, ForwardPassRunner())


def scored(name: str, scenario: Scenario) -> Score:
    dare, given = opened(name)
    return score(dare, Attempt(given, scenario), ForwardPassRunner())


# -- scores -------------------------------------------------------------------------------------


def test_at_first_nothing_has_moved():
    for name in NAMES:
        dare, given = opened(name)
        found = scored(name, given)
        if dare.may == "training":
            assert found.refused == "This does not count: it has not been trained yet."
        else:
            assert (found.refused, found.value) == ("", 0)
            assert found.is_reached == (dare.may == "silences")


def test_a_moved_number_is_measured_against_the_given_model():
    _, given = opened("white-cat")
    own = float(given.weights.arrays["source.W_e"][4, 6])
    found = scored("white-cat", given.with_value("source.W_e", (4, 6), 0.026))
    assert found.value == pytest.approx(0.026 - own, abs=1e-6)
    assert found.is_reached
    assert found.what == "1 number moved by 0.238"
    assert "".join(map(str, found.shows[1][1:])) == "le chat blanc est assis sur le tapis"
    dare, _ = opened("white-cat")
    said = words.sentence(dare, found)
    assert said == "1 number moved by 0.238. That does it. Best known: 0.235."


@drawn(
    moves=strategies.dictionaries(
        strategies.tuples(strategies.integers(0, 24), strategies.integers(0, 7)),
        strategies.floats(-2, 2, width=32),
        max_size=6,
    )
)
@settings(max_examples=40, deadline=None)
def test_the_distance_is_euclidean_and_the_same_for_equal_scenarios(moves):
    _, given = opened("dog-into-cat")
    own = given.weights.arrays["source.W_e"]
    scenario = given
    for (i, j), far in moves.items():
        scenario = scenario.with_value("source.W_e", (i, j), float(own[i, j]) + far)
    found = scored("dog-into-cat", scenario)
    now = own.copy()
    for (i, j), far in moves.items():
        now[i, j] = np.float32(float(own[i, j]) + far)
    assert found.value == pytest.approx(np.linalg.norm((now - own).astype(float)), abs=1e-6)
    # Drawing options and earlier words do not count.
    other = dataclasses.replace(scenario, target=given.target[:2], mask_seed=77)
    assert scored("dog-into-cat", other.with_view("plane", "gradient")) == found


def test_a_number_that_was_restored_has_not_moved():
    _, given = opened("white-cat")
    own = float(given.weights.arrays["source.W_e"][4, 6])
    one = given.with_value("source.W_e", (4, 6), own)
    two = one.with_value("source.W_e", (4, 5), 0.9)
    assert scored("white-cat", one).value == 0
    assert scored("white-cat", two).refused == ""


HOSTILE = {
    "another sentence": lambda s: s.with_tokens("source", ("the", "white", "cat")),
    "were typed": lambda s: s.with_tokens("target", ("<sos>", "le", "chat", "blanc")),
    "dropout is on": lambda s: s.with_training(True),
    "settings are others": lambda s: s.with_setting("label_smoothing", 0.2),
    "another model": lambda s: models.first("dates"),
    "of another": lambda s: s.trained(None, 5),
    "silenced, too": lambda s: s.with_silence(Silence("encoder.0.self_attn.head.0.context")),
    "2 numbers changed, and at most 1 may": lambda s: s.with_values(
        "source.W_e", {(4, 6): 0.0, (4, 5): 0.0}
    ),
    "only learned numbers": lambda s: s.with_value(PROBABILITIES, (2, 10), 1.0),
}


@pytest.mark.parametrize("why", HOSTILE)
def test_a_hostile_attempt_is_refused_in_one_sentence(why):
    _, given = opened("white-cat")
    found = scored("white-cat", HOSTILE[why](given))
    assert found.value is None
    assert not found.is_reached
    assert why in found.refused
    assert found.refused.startswith("This does not count: ")
    assert found.refused.count(".") == 1


def test_a_computed_number_that_is_fixed_at_its_own_value_is_a_change():
    _, given = opened("white-cat")
    trace = ForwardPassRunner().trace(given)
    held = float(trace["encoder.0.self_attn.norm"].value[2, 3])
    found = scored("white-cat", given.with_value("encoder.0.self_attn.norm", (2, 3), held))
    assert "only learned numbers" in found.refused


def test_only_the_attention_of_one_head_may_change():
    _, given = opened("swapped-words")
    weights = "decoder.0.cross_attn.head.{}.weights"
    one = given.with_value(weights.format(1), (2, 6), 1.0)
    assert scored("swapped-words", one).refused == ""
    assert scored("swapped-words", one).value == pytest.approx(1, abs=0.01)
    two = one.with_value(weights.format(0), (2, 6), 1.0)
    assert "2 heads changed" in scored("swapped-words", two).refused
    scores = given.with_value("decoder.0.cross_attn.head.1.scores", (2, 6), 9.0)
    assert "only attention weights" in scored("swapped-words", scores).refused


def test_heads_and_units_are_counted_once():
    _, given = opened("quiet-parts")
    unit = "encoder.0.feed_forward.{}"
    both = given.with_silence(Silence(unit.format("hidden"), column=14))
    both = both.with_silence(Silence(unit.format("activation"), column=14, to="mean"))
    found = scored("quiet-parts", both)
    assert (found.value, found.is_reached) == (1, True)
    assert found.what == "0 heads and 1 unit silent"
    for part in (Silence(unit.format("out")), Silence(unit.format("activation"), row=2, column=1)):
        refused = scored("quiet-parts", given.with_silence(part)).refused
        assert "only whole heads and units" in refused


def test_a_training_run_is_repeated_and_the_sent_weights_are_ignored():
    dare, given = opened("fewest-steps")
    good = models.first("phrases").weights
    few = given.with_recipe(given.recipe.replace(steps=20, warmup=5))
    forged = few.trained(good, 10)
    found = scored("fewest-steps", forged)
    assert (found.value, found.is_reached, found.refused) == (10, False, "")
    assert found == scored("fewest-steps", few.trained(None, 10))
    long = dataclasses.replace(given, recipe=given.recipe.replace(steps=5000))
    for steps, why in ((MAX_STEPS + 1, "is not repeated"), (5000, "is not repeated")):
        assert why in scored("fewest-steps", long.trained(None, steps)).refused
    assert "ends with step 20" in scored("fewest-steps", few.trained(None, 21)).refused
    asked = 0

    def go_on() -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        retrained(given.trained(None, 1000), go_on)
    assert dare.may == "training"


# -- the best known attempts ----------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_best_known_score_in_a_file_is_reached_by_its_attempt(name):
    dare, given = opened(name)
    if not dare.attempt:  # a pull that moves all numbers is tested below
        assert name == "dog-into-cat"
        return
    found = scored(name, attempt_of(dare, given))
    assert found.is_reached
    assert found.value == pytest.approx(dare.best, rel=checking.CLOSE)


def best(name: str, scenario: Scenario | None) -> float:
    assert scenario is not None
    found = scored(name, scenario)
    assert found.is_reached
    assert found.value is not None
    return found.value


def test_no_single_number_has_a_better_score():
    dare, given = opened("white-cat")
    found = best("white-cat", Search(dare, given).single_number("noir", "blanc"))
    assert found == pytest.approx(dare.best, rel=TOLERANCE)


def test_no_pair_of_rows_has_a_better_score():
    dare, given = opened("swapped-words")
    rows = [given.target.index(word) - 1 for word in ("noir", "blanc")]
    found = best("swapped-words", Search(dare, given).one_head(rows))
    assert found == pytest.approx(dare.best, rel=TOLERANCE)


def test_no_kept_set_of_silences_is_larger():
    dare, given = opened("quiet-parts")
    assert 4 <= best("quiet-parts", Search(dare, given).silences(200, width=8)) <= dare.best


def test_the_pull_of_the_page_is_the_best_known():
    dare, given = opened("dog-into-cat")
    search = Search(dare, given)
    row, word = given.target.index("chien") - 1, given.output_vocabulary.index("chat")
    pulled = search.pulled([Wish(PROBABILITIES, (row, word), 0.45)])
    back = search.with_cells(search.taken_back(*edited(search, pulled)))
    assert best("dog-into-cat", pulled) < 1.1 * dare.best
    assert best("dog-into-cat", back) == pytest.approx(dare.best, rel=TOLERANCE)


def test_every_number_of_the_smallest_set_is_needed():
    dare, given = opened("upside-down")
    search = Search(dare, given)
    sentence = ["le", "tapis", "noir", "est", "assis", "sur", "le", "chat"]
    typed = given.with_tokens("target", ("<sos>", *sentence))
    known = given.output_vocabulary
    wishes = [
        Wish(PROBABILITIES, (at, known.index(word)), 0.5)
        for at, word in enumerate((*sentence, "<eos>"))
    ]
    cells, _ = edited(search, attempt_of(dare, given))
    assert len(cells) == dare.best
    for cell in cells:
        left = mask(search, [each for each in cells if each != cell])
        assert not search.does(search.pulled(wishes, left, typed, limit=60))
    assert search.does(search.pulled(wishes, None, typed))


def test_random_recipes_have_no_better_score():
    dare, given = opened("fewest-steps")
    rng = np.random.default_rng(1)
    fewer = int(0.75 * dare.best)
    for _ in range(2):
        recipe = given.recipe.replace(
            steps=int(rng.integers(80, 300)),
            batch=256,
            peak_learning_rate=float(rng.uniform(0.02, 0.08)),
            warmup=int(rng.integers(5, 50)),
            beta_1=float(rng.uniform(0.6, 0.9)),
        )
        tried = given.with_recipe(recipe).trained(None, fewer)
        assert not scored("fewest-steps", tried).is_reached


# -- the language of lessons ---------------------------------------------------------------------


def test_a_dare_of_a_teacher_ends_a_lesson():
    found = lesson("Text.\n\n## Another\n\n" + DARE)
    assert (found.dare_step, found.is_dare) == (1, False)
    assert found.steps[1].dare.goal.text == "writes('blanc')"
    assert checking.problems(found) == []
    assert lesson(DARE).is_dare
    with pytest.raises(LessonProblem, match="at most one dare"):
        lesson(DARE + "\n" + DARE)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("writes('blanc')", "writes('noir')", "holds before anything is changed"),
        ("writes('blanc')", "value('nothing') > 0", "nothing"),
        ("best: 0.25", "best: 0.25\nattempt: {edits: {source.W_e: [[black, 6, 0]]}}", "not reach"),
        (
            "best: 0.25",
            "best: 9\nattempt: {edits: {source.W_e: [[black, 6, 0.026]]}}",
            "said to be",
        ),
        ("best: 0.25", "best: 9\nattempt: {score: 1}", "does not know"),
        ("best: 0.25", "best: 9\nattempt: {source: [the, cat]}", "another sentence"),
    ],
)
def test_lesson_check_checks_dares(tmp_path, before, after, why):
    file = tmp_path / "mine.md"
    file.write_text(HEAD + DARE.replace(before, after), encoding="utf-8")
    said: list[str] = []
    assert lesson_command.checked(file, said.append) is None
    assert any(why in each for each in said), said


# -- on the page ---------------------------------------------------------------------------------


def open_page(query: str = "?view=dare:white-cat"):
    page = create_page(address=page_address(query))
    [panel] = page.regions["lesson"]
    return page, panel


def standing(panel):
    return next(each["dare"] for each in panel.states if "dare" in each)


def far(page, cell: tuple[int, int], value: float) -> Scenario:
    """Return the page's scenario with another value of a number of “black”."""
    scenario: Scenario = page.state.scenario
    return scenario.with_value("source.W_e", cell, value)


def test_an_address_opens_a_dare_and_moved_numbers_change_its_score():
    page, panel = open_page("?view=dare:white-cat&score=0.001&best=9")
    assert panel.value["name"] == "white-cat"
    assert page.state.lesson.step == 0
    assert standing(panel)["is_given"]
    assert standing(panel)["best"] == "0.235"
    state = page.state
    state.change(far(page, (4, 6), 0.026), held=True, press=1)
    found = standing(panel)  # while a number is held, the page keeps the earlier words
    assert (found["reached"], found["said"]) == (True, "0.238")
    state.release()
    assert page.results.score["reached"]
    assert page.results.score["score"] == pytest.approx(0.238, abs=1e-3)
    panel.receive({"type": "again"})
    assert standing(panel)["is_given"]
    panel.receive({"type": "close"})
    assert page.results.score is None


def test_a_link_contains_the_attempt_and_not_the_score():
    page, panel = open_page()
    state, sent = page.state, []
    state.change(far(page, (4, 4), -0.72))
    panel.connect(sent.append)
    panel.receive({"type": "link"})
    code = next(each["code"] for each in sent if each.get("type") == "link")
    saved = link.decode(code)
    assert saved.lesson == LessonProgress("white-cat", 0)
    assert "score" not in link.unpacked(code)
    other, there = open_page("")
    other.state.snapshots.restore(saved)
    other.state.shared = other.state.scenario
    found = standing(there)
    assert found["shared"] == "An attempt that was shared with you: 0.272; best known 0.235."
    assert found["is_shared"]
    there.receive({"type": "again"})
    assert standing(there)["is_given"]
    assert "0.272" in standing(there)["shared"]
    other.state.change(far(other, (4, 6), 0.026))
    assert not standing(there)["is_shared"]
    assert standing(there)["reached"]


def test_a_forged_link_is_refused_in_one_sentence():
    _, given = opened("white-cat")
    two = given.with_values("source.W_e", {(4, 6): 0.0, (4, 5): 0.0})
    saved = SavedSession(two, lesson=LessonProgress("white-cat", 0))
    page, panel = open_page("")
    page.state.snapshots.restore(link.decode(link.encode(saved)))
    page.state.shared = page.state.scenario
    found = standing(panel)
    assert found["value"] is None
    assert "2 numbers changed, and at most 1 may." in found["shared"]
    with pytest.raises(ValueError, match="does not know"):
        link.from_json(json.dumps({"version": 1, "score": 0.01}))


def test_the_list_shows_the_dares_and_opens_them():
    page, panel = open_page("?view=lessons")
    [_, column] = page.regions["room"]
    [listed] = column.objects
    assert [each["name"] for each in listed.dares] == NAMES
    assert not {each["name"] for each in listed.lessons} & set(NAMES)
    listed.receive({"type": "open", "name": "quiet-parts", "dare": True})
    assert panel.value["name"] == "quiet-parts"
    found = standing(panel)
    assert (found["said"], found["reached"]) == ("0 silent", True)
    listed.receive({"type": "open", "name": "quiet-parts"})  # a lesson that is not in this list


def test_an_unknown_dare_is_reported():
    page, panel = open_page("?view=dare:film")
    assert panel.value["name"] == "film"
    assert "has no dare" in page.state.notice
    page, panel = open_page("?view=dare:nothing")
    assert not panel.value
    assert "no lesson called" in page.state.notice
    assert page.state.lesson.step != DARE_STEP
    assert address_of("dare:white-cat", None, "").step == DARE_STEP
    with pytest.raises(ValueError, match="no dare 'film' to view; there are white-cat"):
        address_of("dare:film", None, "")
