"""Random actions of a user on the page's present components, as messages of a browser."""

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from tests.app.whole_app.browser import Browser, Thing

Draw = Callable[[st.SearchStrategy[Any]], Any]

# The largest sizes of models; larger models are slow and test nothing more.
MOST = {"encoder_layers": 2, "decoder_layers": 2, "heads": 4, "d_model": 16, "d_ff": 24, "batch": 8}
NUMBERS = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, 3.0, -10.0, 1000.0, -1000.0]),
    st.floats(-10, 10, width=32),
)
TYPED = st.sampled_from(["", "abc", "-1", "1e9", "0", "1", "0.5", "2", " 3 ", "nan", "1,5"])
NEW_WORDS = st.sampled_from(["zebra", "Ω", "<pad>", "<sos>", "<eos>", "a b", "", "x" * 30, "𝄞"])


def one(draw: Draw, of: Sequence[Any]) -> Any:
    """Draw one of several items by its index, which is easier to read in a failure report."""
    return of[draw(st.integers(0, len(of) - 1))]


def cell(draw: Draw, browser: Browser) -> tuple[dict[str, Any], str, int, int]:
    """Draw a matrix of the board and a cell of it; return the path that the page uses."""
    entries = [m for m in browser.board.manifest["matrices"] if "block" not in m]
    entry = one(draw, [m for m in entries if m["rows"] and m["cols"]])
    i, j = draw(st.integers(0, entry["rows"] - 1)), draw(st.integers(0, entry["cols"] - 1))
    if "origin" in entry and not entry.get("products"):
        path, row, column = entry["origin"]
        return entry, path, row + i, column + j
    return entry, entry["path"], i, j


def on_form(draw: Draw, browser: Browser, form: Thing) -> None:
    """Change, type into or press a field of a form."""
    fields = [f for f in form["fields"] if f["kind"] not in ("note", "output")]
    fields = [f for f in fields if not f.get("disabled") and not f.get("hidden")]
    if not fields:
        return
    field = one(draw, fields)
    message = {"type": "change", "name": field["name"], "value": _value(draw, field)}
    if field["kind"] == "action":
        message["value"] = True
    if field.get("live"):
        message["type"] = draw(st.sampled_from(["typing", "change"]))
    browser.say(form, message)


def _value(draw: Draw, field: dict[str, Any]) -> Any:
    kind, name = field["kind"], field["name"].rpartition(".")[2]
    if kind == "choice":
        return one(draw, [value for value, _ in field["options"]])
    if kind == "switch":
        return not field["value"]
    if kind == "text":
        return draw(st.sampled_from(["the cat sat", "a dog", "", "zebra zebra", "the  mat "]))
    if kind in ("integer", "number"):
        low, high = field.get("minimum", 0), field.get("maximum", 20)
        most = min(high, MOST.get(name, 20))
        whole = st.integers(int(low), int(max(low, most))).map(str)
        parts = st.floats(low, most).map(lambda x: f"{x:.3g}")
        return draw(st.one_of(whole if kind == "integer" else parts, TYPED))
    return True


def on_tokens(draw: Draw, browser: Browser, tokens: Thing) -> None:
    """Edit a list of tokens, or use a control beside it."""
    entries = [entry for entry in tokens["lists"] if not entry["hidden"]]
    if not entries:
        return
    entry = one(draw, entries)
    name, kinds = entry["name"], ["tokens", "tokens", "look"]
    kinds += ["choice"] if entry["choice"] else []
    kinds += ["write"] if entry["can_write"] else []
    kinds += ["another"] if entry["another"] else []
    message: dict[str, Any] = {"type": draw(st.sampled_from(kinds)), "name": name}
    if message["type"] == "tokens":
        message["tokens"] = _tokens(draw, entry)
    elif message["type"] == "choice":
        options = entry["choice"]["options"] or entry["tokens"]
        message["word"] = draw(st.one_of(st.sampled_from(options), NEW_WORDS))
    elif message["type"] == "write":
        message["on"] = not entry["writes"]
    elif message["type"] == "look":
        message["at"] = draw(st.integers(0, len(entry["tokens"])))
    browser.say(tokens, message)


def _tokens(draw: Draw, entry: dict[str, Any]) -> list[str]:
    """Return the list with one token changed, removed or added, or another list."""
    tokens = list(entry["tokens"])
    words = st.sampled_from(entry["known"] or tokens)
    word = draw(st.one_of(words, words, words, NEW_WORDS))
    at = draw(st.integers(0, len(tokens)))
    how = draw(st.sampled_from(["change", "change", "add", "remove", "all"]))
    if how == "all":
        return draw(st.lists(words, min_size=0, max_size=9))
    if how == "add":
        return [*tokens[:at], word, *tokens[at:]]
    kept = [] if how == "remove" else [word]
    return [*tokens[:at], *kept, *tokens[at + 1 :]]


def on_board(draw: Draw, browser: Browser) -> None:
    """Change how the board is displayed."""
    _, path, i, j = cell(draw, browser)
    scope = draw(st.sampled_from(["encoder.0.self_attn", "decoder.0.self_attn"]))
    scope = draw(st.sampled_from([scope, "decoder.0.cross_attn", "encoder.1.self_attn"]))
    at = {"scope": scope, "head": draw(st.integers(0, 3))}
    pair = {"query": draw(st.integers(0, 9)), "key": draw(st.integers(0, 9))}
    camera = st.one_of(st.none(), st.just([10.0, 20.5, 2.0]))
    followed = st.one_of(st.none(), st.tuples(st.sampled_from(["encoder", "decoder"]), SMALL))
    places = st.one_of(
        st.tuples(st.just("camera"), camera),
        st.tuples(st.just("followed"), followed.map(lambda x: x and [*x])),
        st.tuples(st.just("unfolded"), st.lists(st.just(scope), max_size=1)),
        st.tuples(
            st.just("form"), st.sampled_from(["picture", "formulas", "attention", "idea:cost"])
        ),
    )
    name, value = draw(places)
    message = one(
        draw,
        [
            {"type": "hover", "path": path, "i": i, "j": j},
            {"type": "focus", **at, "is_of_any": draw(st.booleans())},
            {"type": "pair", **at, **pair},
            {"type": "place", "name": name, "value": value},
            {"type": "place", "name": name, "value": value},
            {"type": "window", "path": path, "row": i, "column": j},
            {"type": "choose", "name": "head", "number": at["head"]},
            {"type": "goto", "place": scope},
            {"type": "link"},
            {"type": "look_only", **at, **pair, "everywhere": draw(st.booleans())},
            {"type": "pull", **at, **pair, "value": 0.5},
        ],
    )
    browser.say("BoardComponent", message)


SMALL = st.integers(0, 6)


def on_inspector(draw: Draw, browser: Browser, inspector: Thing) -> None:
    """Change the selected number, or use a control of it."""
    choices = [choice["name"] for choice in inspector["details"].get("silence", [])] or ["row"]
    messages = [
        {"type": "gradient", "now": draw(st.booleans())},
        {"type": "restore_matrix"},
        {"type": "renormalize"},
        {"type": "look_only", "everywhere": draw(st.booleans())},
        {"type": "release_row", "everywhere": draw(st.booleans())},
        {
            "type": "silence",
            "name": draw(st.sampled_from([*choices, "row", "head", "unit", "sublayer"])),
            "to": draw(st.sampled_from(["zero", "mean", None])),
        },
        {"type": "patch", "part": draw(st.sampled_from(["number", "row", "matrix"]))},
    ]
    what = one(draw, [*messages, "reach", "watched"])
    if what == "reach":
        browser.set(inspector, reach=not inspector["reach"])
    elif what == "watched":
        browser.set(inspector, watched=[draw(st.integers(-1, 5)), draw(st.integers(-1, 5))])
    else:
        browser.say(inspector, what)


def on_lesson(draw: Draw, browser: Browser, panel: Thing) -> None:
    """Press or answer something in the open step of a lesson, or leave the step."""
    value, item = panel["value"], draw(st.integers(0, max(0, len(panel["states"]) - 1)))
    messages = [
        {"type": "go", "step": draw(st.integers(0, value["count"] - 1))},
        {"type": "again"},
        {"type": "close"},
        {"type": "show", "item": item},
        {"type": "play", "item": item},
        {"type": "compare", "item": item, "after": draw(st.booleans())},
        {"type": "answer", "item": item, "given": draw(st.sampled_from([None, 0, 1, 2.5]))},
    ]
    browser.say(panel, one(draw, messages))


def on_exports(draw: Draw, browser: Browser, exports: Thing) -> None:
    """Export a file of the shown data, and request the values of all matrices."""
    kind = draw(st.sampled_from(["csv", "npy", "safetensors", "numpy", "torch", "none"]))
    path = exports["matrix"].get("path")
    browser.say(exports, {"type": "make", "id": 1, "kind": kind, "path": path})
    assert exports.said[-1]["type"] == "answer"
    if kind in ("safetensors", "numpy", "torch") and "problem" not in exports.said[-1]:
        assert exports.said[-1]["bytes"]
    paths = [matrix["path"] for matrix in browser.board.manifest["matrices"]]
    browser.say(exports, {"type": "values", "id": 2, "paths": paths})
    assert len(exports.said[-1]["values"]) <= len(paths)
    del exports.said[:]


def on_other(draw: Draw, browser: Browser, thing: Thing) -> None:
    """Use one of the small controls, by its class."""
    does = _OTHERS[thing.name]
    does(draw, browser, thing)


def _on_prediction(draw: Draw, browser: Browser, thing: Thing) -> None:
    row = draw(st.integers(0, max(0, len(thing["rows"]) - 1)))
    how = draw(st.sampled_from(["look", "wish", "value"]))
    if how in ("look", "wish"):
        word = draw(st.sampled_from([*thing["written"], "zebra"]))
        browser.say(thing, {"type": how, "row": row, "word": word})
    else:
        browser.set(thing, value=row)


def _on_pull(draw: Draw, browser: Browser, thing: Thing) -> None:
    how = draw(st.sampled_from(["press", "take", "count", "value"]))
    if how == "take":
        nowhere = {"path": "output.W_out", "i": 0, "j": 0}
        row = draw(st.sampled_from([*thing["rows"][:20], nowhere]))
        browser.say(thing, {"type": "take", **{name: row[name] for name in nowhere}})
    elif how == "press":
        presses = [*thing["shown"].get("presses", ()), "keep"]
        browser.say(thing, {"type": "press", "name": draw(st.sampled_from(presses))})
    else:
        options = [name for name, _ in thing["counts" if how == "count" else "options"]]
        if options:
            browser.set(thing, **{how: draw(st.sampled_from(options))})


def _on_plane(draw: Draw, browser: Browser, thing: Thing) -> None:
    browser.say(thing, {"type": draw(st.sampled_from(["back", "go"]))})


def _on_notice(_draw: Draw, browser: Browser, thing: Thing) -> None:
    browser.say(thing, {"type": "press", "number": thing["said"].get("number")})


def _on_guide(draw: Draw, browser: Browser, thing: Thing) -> None:
    for name, _ in thing["things"][: draw(st.integers(0, 3))][-1:]:
        browser.say(thing, {"type": "press", "name": name})


def _on_ways(draw: Draw, browser: Browser, thing: Thing) -> None:
    browser.set(thing, value=draw(st.sampled_from([name for name, _ in thing["ways"]])))


def _on_decode(draw: Draw, browser: Browser, thing: Thing) -> None:
    number = draw(SMALL)
    if draw(st.booleans()):
        browser.set(thing, value=number)
    at = draw(st.sampled_from([{"step": number}, {"id": number}, {"sample": 0, "step": number}]))
    browser.say(thing, {"type": "attention", **at})


def _on_heads(draw: Draw, browser: Browser, thing: Thing) -> None:
    if thing["rows"]:
        row = draw(st.integers(0, len(thing["rows"]) - 1))
        browser.say(thing, {"type": "switch", "row": row})


def _on_table(draw: Draw, browser: Browser, thing: Thing) -> None:
    if thing["tables"]:
        table = draw(st.integers(0, len(thing["tables"]) - 1))
        rows = thing["tables"][table]["rows"]
        row = draw(st.integers(0, len(rows) - 1))
        column = draw(st.integers(0, len(rows[row]["cells"]) - 1))
        browser.say(thing, {"type": "choose", "table": table, "row": row, "column": column})


def _on_pieces(draw: Draw, browser: Browser, thing: Thing) -> None:
    if thing["options"]:
        browser.set(thing, value=draw(st.sampled_from([name for name, _ in thing["options"]])))


def _on_curves(draw: Draw, browser: Browser, thing: Thing) -> None:
    step = draw(st.sampled_from([None, *thing["kept"]]))
    if draw(st.booleans()):
        browser.set(thing, pinned=step)
    else:
        browser.say(thing, {"type": "step", "step": step})


def _on_training_bar(draw: Draw, browser: Browser, thing: Thing) -> None:
    if draw(st.booleans()):
        browser.set(thing, pace=draw(st.sampled_from([pace for pace, _ in thing["paces"]])))
    else:
        step = draw(st.sampled_from([None, *thing["kept"]]))
        browser.say(thing, {"type": "step", "step": step})


def _on_examples(draw: Draw, browser: Browser, thing: Thing) -> None:
    if thing["rows"]:
        row = draw(st.integers(0, len(thing["rows"]) - 1))
        browser.say(thing, {"type": "choose", "row": row})


def _on_lessons(draw: Draw, browser: Browser, thing: Thing) -> None:
    lesson = one(draw, thing["lessons"])
    afresh = draw(st.booleans())
    browser.say(thing, {"type": "open", "name": lesson["name"], "afresh": afresh})


_OTHERS: dict[str, Callable[[Draw, Browser, Thing], None]] = {
    "Prediction": _on_prediction,
    "Pull": _on_pull,
    "Plane": _on_plane,
    "Notice": _on_notice,
    "Guide": _on_guide,
    "DecodeWays": _on_ways,
    "Decode": _on_decode,
    "HeadTable": _on_heads,
    "TokenTable": _on_table,
    "Experiments": _on_pieces,
    "Curves": _on_curves,
    "TrainingBar": _on_training_bar,
    "Examples": _on_examples,
    "LessonList": _on_lessons,
}
OTHERS = tuple(_OTHERS)
FORMS = ("Form", "SettingsForm", "DecodeForm", "ExperimentForm")
