import tracemalloc

from tinkerformer.components.upload import MAX_FILES, Opens


class Door(Opens):
    """A control that accepts files."""


def made(limit=1 << 20, choices=None):
    opened, said = [], []
    door = Door(on_open=lambda files, heads: opened.append((files, heads)) or choices, limit=limit)
    door.connect(said.append)
    return door, opened, said


def part(door, data, name="a", *, first=False):
    door.receive({"type": "part", "id": 1, "name": name, "bytes": data, "first": first})


def test_parts_are_joined_in_the_order_of_arrival():
    door, opened, said = made()
    part(door, b"old", first=True)
    part(door, b"ab", first=True)
    part(door, b"x", "b")
    part(door, b"c")
    door.receive({"type": "open", "id": 2, "heads": 3})
    assert opened == [({"a": b"abc", "b": b"x"}, 3)]
    assert said[-1] == {"type": "answer", "id": 2, "opened": True}


def test_files_are_kept_until_a_question_about_them_is_answered():
    door, opened, said = made(choices=[1, 2])
    part(door, b"ab", first=True)
    for _ in range(2):
        door.receive({"type": "open", "id": 2})
        assert said[-1]["heads"] == [1, 2]
    assert opened == [({"a": b"ab"}, None)] * 2


def test_more_than_the_limit_or_too_many_files_are_refused():
    door, _, said = made(limit=4)
    part(door, b"abc", first=True)
    part(door, b"de")
    assert "At most" in said[-1]["problem"]
    part(door, b"abcd", first=True)
    assert "problem" not in said[-1]
    for n in range(MAX_FILES):
        part(door, b"", f"file {n}")
    assert said[-1]["problem"] == f"At most {MAX_FILES} files are read at once."


def test_a_part_of_a_file_that_was_not_begun_is_ignored():
    door, _, _ = made()
    door.disconnect(door._senders[0])
    part(door, b"", first=True)
    tracemalloc.start()
    try:
        for _ in range(20_000):
            part(door, b"")
        assert tracemalloc.get_traced_memory()[0] < 20_000
    finally:
        tracemalloc.stop()
