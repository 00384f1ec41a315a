"""Declares the choices of the pictures that explain an idea."""

import param

from ..model.scenario.settings import Settings

LAST_POSITION = 10_000
RANGES = {"64": "64", "1,000": "1000", "10,000": "10000"}
EVEN = 1000  # the temperature that represents ∞
FOLLOWS = -1  # as a row number: the row in focus


def path_setting(doc: str) -> param.String:
    """Return a setting that names a tensor; empty for the tensor that the picture shows first."""
    return param.String(default="", regex=r"[a-z_0-9.]{0,80}", doc=doc)


class ClockSettings(Settings):
    """The choices of the positions as clocks."""

    position = param.Integer(default=3, bounds=(0, LAST_POSITION), label="position")
    shift = param.Integer(default=1, bounds=(-LAST_POSITION, LAST_POSITION), label="shift")
    range = param.Selector(
        default="64",
        objects=RANGES,
        label="positions up to",
        doc="The range of the slider and of the similarity curve.",
    )
    word = param.Integer(
        default=-1,
        bounds=(-1, None),
        label="take along",
        doc="A word of the sentence that moves with the position; −1 for none.",
    )


class NormSettings(Settings):
    """The choices of layer norm by steps."""

    norm = path_setting("The layer norm that is shown.")
    row = param.Integer(default=FOLLOWS, bounds=(FOLLOWS, None), label="row")
    step = param.Number(default=0.0, bounds=(0, 4), label="step")
    constant = param.Number(
        default=0.0,
        bounds=(-10, 10),
        label="add to every number",
        doc="It is added before the norm.",
    )
    factor = param.Number(
        default=1.0,
        bounds=(0.01, 100),
        label="multiply every number",
        doc="The numbers are multiplied by it before the norm.",
    )


class SumSettings(Settings):
    """The choices of the stream as a running sum."""

    row = param.Integer(default=FOLLOWS, bounds=(FOLLOWS, None), label="position")
    word = param.String(default="", doc="The word of the logit; empty: the likeliest.")
    reading = param.Selector(
        default="lens",
        objects={"as read at its depth": "lens", "as it arrives at the end": "end"},
        label="each step",
        doc=(
            "At its depth: the logit if the model ended there (the logit lens). At the end: "
            "what remains of the step after all later norms."
        ),
    )
    level = param.Integer(
        default=-1,
        bounds=(-1, None),
        label="unfolded",
        doc="−1: the step that changes the logit most.",
    )


class LooksSettings(Settings):
    """The choices of who may look at whom."""

    weights = path_setting("The attention weights of one head.")
    rows = param.Integer(default=0, bounds=(0, None), label="rows", doc="0: all rows.")


class SoftmaxSettings(Settings):
    """The choices of softmax and its temperature."""

    scores = path_setting("The attention of one head; empty for the next word.")
    row = param.Integer(default=FOLLOWS, bounds=(FOLLOWS, None), label="row")
    temperature = param.Number(
        default=None,
        allow_None=True,
        bounds=(0, EVEN),
        label="temperature",
        doc="The logits are divided by it. Empty: the model's own temperature; 1,000 means ∞.",
    )


class WordsSettings(Settings):
    """The choices of the map of words."""

    table = param.Selector(
        default="source",
        objects={"source": "source", "target": "target"},
        label="words of the",
        doc="The embedding table that is drawn.",
    )
    axes = param.Selector(
        default="widest",
        objects={
            "where words differ most": "widest",
            "two dimensions": "dimensions",
            "two pairs of words": "words",
        },
        label="seen from",
        doc="The two of the many directions of a word that are drawn.",
    )
    first = param.Integer(default=0, bounds=(0, None), label="across")
    second = param.Integer(default=1, bounds=(0, None), label="up")
    x_from = param.String(default="", label="across: from")
    x_to = param.String(default="", label="to")
    y_from = param.String(default="", label="up: from")
    y_to = param.String(default="", label="to")
    word = param.String(default="", label="word")
    position = param.Integer(
        default=0,
        bounds=(0, None),
        label="position",
        doc="The position of a word that the text contains twice.",
    )
    depth = param.Integer(
        default=0,
        bounds=(0, None),
        label="depth",
        doc="0 is the table; from 1 on, the words of the sentence after that many steps of the "
        "stack.",
    )


class ArrowsSettings(Settings):
    """The choices of the picture of queries and keys."""

    axes = param.Selector(
        default="query",
        objects={"through the query": "query", "where arrows differ most": "widest"},
        label="plane",
        doc=(
            "In a plane through the query, every shadow has its true length. The other plane "
            "shows as much as possible of all arrows, but only a part of the query."
        ),
    )


class LandscapeSettings(Settings):
    """The choices of the landscape of the loss."""

    over = param.Selector(
        default="numbers",
        objects={
            "two numbers": "numbers",
            "two words": "words",
            "the training just run": "run",
        },
        label="over",
        doc="The horizontal and vertical change; everything else stays the same.",
    )
    x = param.String(default="", label="across")
    y = param.String(default="", label="up")
    x_from = param.String(default="", label="across: move")
    x_to = param.String(default="", label="toward")
    y_from = param.String(default="", label="up: move")
    y_to = param.String(default="", label="toward")


class ChainSettings(Settings):
    """The choices of the chain rule."""

    cell = param.String(
        default="", doc="The first number of the chain; empty: the selected number."
    )
    way = param.String(
        default="",
        regex=r"(\d{1,7}( \d{1,7})*)?",
        doc="The choices of the next number along the chain.",
    )
    at = param.Integer(
        default=0, bounds=(0, 100), label="shown", doc="The index of the shown number of the chain."
    )


class IdeaSettings(Settings):
    """The choices of all pictures: one group for each picture with choices, under its name."""

    words = param.ClassSelector(class_=WordsSettings, default=WordsSettings(), label="words")
    arrows = param.ClassSelector(class_=ArrowsSettings, default=ArrowsSettings(), label="arrows")
    landscape = param.ClassSelector(
        class_=LandscapeSettings, default=LandscapeSettings(), label="landscape"
    )
    positions = param.ClassSelector(class_=ClockSettings, default=ClockSettings())
    layer_norm = param.ClassSelector(class_=NormSettings, default=NormSettings())
    stream = param.ClassSelector(class_=SumSettings, default=SumSettings())
    mask = param.ClassSelector(class_=LooksSettings, default=LooksSettings())
    softmax = param.ClassSelector(class_=SoftmaxSettings, default=SoftmaxSettings())
    chain = param.ClassSelector(class_=ChainSettings, default=ChainSettings())
