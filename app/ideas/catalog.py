"""The pictures that explain an idea, each declared once."""

from __future__ import annotations

from typing import NamedTuple

IDEA = "idea:"


class Idea(NamedTuple):
    """A picture that explains one idea, a form of Explore.

    Attributes:
        label: its name on the page.
        shows: one sentence on what it shows.
        tries: what to do in it.
        parts: the last names of the parts of the model that it explains, such as ``self_attn``;
            their headings lead to it.
        leaves: the names of the matrices that it explains, without layer and sublayer; a selected
            number of one of them leads to it.
    """

    label: str
    shows: str
    tries: str
    parts: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()


# By name, without the prefix, in the order of the menu.
IDEAS = {
    "words": Idea(
        "Words as a map",
        "Every word is a point: words that the model treats alike stand near each other, and a "
        "word that is dragged takes what it means with it.",
        "Drag a word onto another one, and read in the header what is written then.",
        parts=("source", "target"),
        leaves=("W_e", "embedding", "sum"),
    ),
    "arrows": Idea(
        "Queries and keys as arrows",
        "What a word looks for, its query, is an arrow, and so is what each word offers, its key: "
        "the farther a key reaches along the query, the more of that word’s value is taken.",
        "Drag the tip of a key along the query, and watch its weight.",
        parts=("self_attn", "cross_attn"),
        leaves=("q", "k", "v", "raw_scores", "scores", "masked_scores", "weights", "context"),
    ),
    "mask": Idea(
        "Who may look at whom",
        "The mask, row by row: a word may look at itself and at those before it; the others are "
        "not written yet.",
        "Play it row by row: what is hatched is hidden, and at the right stands the word that "
        "comes next. Drag a weight, sideways or up, to have a word look elsewhere.",
        parts=("self_attn",),
        leaves=("mask", "masked_scores", "weights"),
    ),
    "softmax": Idea(
        "Softmax and temperature",
        "Logits, raw scores, become shares of 1: each is divided by the temperature T, e is taken "
        "to that power, and the result is divided by the sum of all.",
        "Move T to both ends, or drag the end of a logit.",
        parts=("output",),
        leaves=("logits", "probabilities", "raw_scores", "scores", "masked_scores", "weights"),
    ),
    "positions": Idea(
        "Positions as clocks",
        "A Transformer reads all words at once and would not know their order, so to each word is "
        "added where it stands, as hands of clocks: the first hand goes round in 6.3 words, and so "
        "tells neighbors apart; the last hardly moves, and so tells the beginning from the end. Of "
        "each hand the model is given where its tip is: the sine across, the cosine up.",
        "Tell a word that it stands elsewhere, turn a hand, or shift by k.",
        parts=("source", "target"),
        leaves=("positions",),
    ),
    "layer_norm": Idea(
        "Layer norm",
        "A row of numbers is moved to mean 0 and stretched to deviation 1, then multiplied by γ "
        "and moved by β, which are learned. So every sublayer reads numbers of one range, whatever "
        "came before it, and a deep model learns steadily.",
        "Play the steps, drag a dot, or add a constant to the row and see it undone.",
        parts=("self_attn", "cross_attn", "feed_forward", "final"),
        leaves=("norm", "residual", "gamma", "beta"),
    ),
    "stream": Idea(
        "The stream as a sum",
        "A word passes the model as a row of numbers, the stream. Each sublayer (attention or "
        "feed-forward) adds numbers to it, and so moves the logit of the next word, its raw score "
        "before softmax, by a bar; all bars add up to the logit.",
        "Unfold a step to see its parts, and drag the end of one.",
        parts=("output",),
        leaves=("residual", "dropout", "logits"),
    ),
    "landscape": Idea(
        "The loss as a landscape",
        "Two things about the model change, and the loss, which is small where the right words are "
        "likely, is the height of the ground: learning is the way down.",
        "Press or drag in the picture to set both numbers, or go downhill step by step.",
        parts=("output",),
        leaves=("loss", "token_loss"),
    ),
    "chain": Idea(
        "The chain rule",
        "The loss says how wrong the model is, and training makes it smaller: if one number moves "
        "a little, how does the loss move? One can try: move it, run the model again, look. Its "
        "gradient says it without trying, by the chain rule: how far the number moves those next "
        "to it, times how far each of these moves the loss, added up.",
        "Drag the dot on the curve, far and near; press a line, and the chain goes on from there.",
        parts=("feed_forward", "output"),
        leaves=(
            *("embedding", "sum", "hidden", "activation", "out", "context", "concat", "residual"),
            *("norm", "logits", "token_loss", "W_1", "W_2", "W_o", "W_q", "W_k", "W_v", "W_out"),
        ),
    ),
    "cost": Idea(
        "Cost",
        "What a layer costs, and where the parameters are.",
        "Add words, or change the sizes in the settings of the model.",
    ),
}

# The forms of Explore that the pictures are: name of the view -> label.
FORMS_OF_IDEAS = {IDEA + name: idea.label for name, idea in IDEAS.items()}


def ideas_of_part(part: str) -> list[tuple[str, str]]:
    """The view and the label of each picture that explains a part, such as a sublayer."""
    last = part.rpartition(".")[2]
    return [(IDEA + name, idea.label) for name, idea in IDEAS.items() if last in idea.parts]


def ideas_of_matrix(path: str) -> list[tuple[str, str]]:
    """The view and the label of each picture that explains the matrix at a path."""
    leaf = path.rpartition(".")[2]
    return [(IDEA + name, idea.label) for name, idea in IDEAS.items() if leaf in idea.leaves]
