import pytest
from tinkerformer.files import catalog
from tinkerformer.ideas.kit.last_drag import Before, LastDrag
from tinkerformer.ideas.landscape.visited_places import Track
from tinkerformer.ideas.written_change import written_change
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target

PHRASES = catalog.first("phrases")


def seen(what) -> Before:
    return Before(PHRASES, what)


def test_a_drag_is_remembered_with_its_first_state_until_it_is_undone():
    drag = LastDrag()
    drag.go_on(("key", 1), "a", "b", lambda: seen("a"))
    drag.go_on(("key", 1), "b", "c", lambda: seen("b"))
    found = drag.before("c")
    assert found is not None
    assert found.seen == "a"
    assert drag.before("a") is None
    assert drag.before("c") is None  # if the drag is redone, it is not remembered


def test_another_press_starts_a_new_drag_and_a_drag_back_to_its_start_is_not_described():
    drag = LastDrag()
    drag.go_on(("key", 1), "a", "b", lambda: seen("a"))
    drag.go_on(("key", 2), "b", "c", lambda: seen("b"))
    assert drag.before("c").seen == "b"  # type: ignore[union-attr]
    drag.go_on(("other", 2), "c", "d", lambda: seen("c"))
    assert drag.before("d").seen == "c"  # type: ignore[union-attr]
    drag.go_on(("other", 2), "d", "c", lambda: seen("d"))
    assert drag.before("c") is None


@pytest.mark.parametrize("between", ["b", "x"])
def test_key_presses_are_one_drag_unless_something_else_changes_between_them(between):
    drag = LastDrag()
    drag.go_on(("key", 0), "a", "b", lambda: seen("a"))
    drag.go_on(("key", 0), between, "c", lambda: seen(between))
    assert drag.before("c").seen == ("a" if between == "b" else "x")  # type: ignore[union-attr]


def test_another_change_ends_a_drag_but_a_pending_value_of_the_drag_does_not():
    drag = LastDrag()
    drag.go_on(("key", 1), "a", "b", lambda: seen("a"))
    drag.go_on(("key", 1), "a", "c", lambda: seen("a"))
    assert drag.before("a", is_pending=True) is None  # no value of the drag is shown yet
    assert drag.before("b", is_pending=True).seen == "a"  # type: ignore[union-attr]
    assert drag.before("c").seen == "a"  # type: ignore[union-attr]
    assert drag.before("x") is None
    assert drag.before("c") is None


def test_the_words_written_after_a_drag_are_described():
    runner = ForwardPassRunner()
    moved = PHRASES.with_value("decoder.0.feed_forward.activation", (2, 0), -9.0)
    held = written_change(PHRASES, moved, runner, held=True)
    assert held.startswith("The model would write “")
    assert "in place of “noir”" in held
    assert written_change(PHRASES, PHRASES, runner, held=True) == (
        "The model would write the same words."
    )
    written = with_written_target(moved, runner)
    after = written_change(PHRASES, written, runner, held=False)
    assert after == f"The model now writes: {' '.join(written.target[1:])}."
    same = written_change(PHRASES, PHRASES, runner, held=False)
    assert same == "The model writes the same sentence."
    assert written_change(PHRASES, PHRASES.with_written(()), runner, held=False) == (
        "The model now writes <eos> first, so no word."
    )


def test_a_track_has_a_place_for_each_move_that_ended():
    track = Track()
    track.rest((0.0, 0.0), lambda x, y: x + y)
    assert track.places == []
    track.move((0.0, 0.0), lambda x, y: x + y)
    track.rest((1.0, 2.0), lambda x, y: x + y)
    track.move((1.0, 2.0), lambda x, y: x + y)
    track.rest((0.0, 0.0), lambda x, y: x + y)  # a return to the start is a place, too
    assert [place.loss for place in track.places] == [0, 3, 0]
    track.rest((1.0, 2.0), lambda x, y: x + y)  # undone
    assert [place.loss for place in track.places] == [0, 3]
    track.rest((5.0, 5.0), lambda x, y: x + y)  # another number moved
    assert track.places == []


def test_another_press_ends_the_move_before_it():
    track = Track()

    def loss(x: float, y: float) -> float:
        return x + y

    track.move((0.0, 0.0), loss, press=1)
    track.move((1.0, 0.0), loss, press=1)  # the same press continues
    track.move((2.0, 0.0), loss, press=2)
    track.move((3.0, 0.0), loss)
    track.rest((4.0, 0.0), loss)
    assert [place.loss for place in track.places] == [0.0, 2.0, 3.0, 4.0]
