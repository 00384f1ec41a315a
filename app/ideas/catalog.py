"""Declares the pictures that explain an idea."""

from typing import NamedTuple

IDEA = "idea:"


class Idea(NamedTuple):
    """A picture that explains one idea; a view in Explore."""

    label: str  # its name on the page
    shows: str  # one sentence on the picture
    tries: str  # an experiment to try in it
    # The last path components of the model parts that it explains, such as ``self_attn``; the
    # headings of these parts link to the picture.
    parts: tuple[str, ...] = ()
    # The names, without layer and sublayer, of the matrices that it explains; a selected number of
    # these matrices links to the picture.
    leaves: tuple[str, ...] = ()


# The pictures in menu order, by name without the prefix.
IDEAS = {
    "words": Idea(
        "Words as a map",
        "Every word is a point. Words that the model treats alike are near each other. Drag a "
        "word, and you change what it means to the model.",
        (
            "Drag a word onto a different word, and read at the top of the page what the model "
            "then writes."
        ),
        parts=("source", "target"),
        leaves=("W_e", "embedding", "sum"),
    ),
    "arrows": Idea(
        "Queries and keys as arrows",
        "The query (what a word looks for) and the keys (what the words offer) are arrows. The "
        "farther a key reaches along the query, the more the word looks at it.",
        "Drag the tip of a key along the query, and watch its weight.",
        parts=("self_attn", "cross_attn"),
        leaves=("q", "k", "v", "raw_scores", "scores", "masked_scores", "weights", "context"),
    ),
    "mask": Idea(
        "Who may look at whom",
        "The mask, row by row: with it a word may look at itself and at the words before it. "
        "Later words are not written yet.",
        "Play it row by row: what the mask hides is hatched, and the next word is at the right. "
        "Drag a weight, sideways or up, to make a word look elsewhere.",
        parts=("self_attn",),
        leaves=("mask", "masked_scores", "weights"),
    ),
    "softmax": Idea(
        "Softmax and temperature",
        "Softmax turns logits, raw scores, into probabilities: divide each by the temperature "
        "T, take e to that power, and divide by the sum of all.",
        "Move T to both ends, or drag the end of a logit.",
        parts=("output",),
        leaves=("logits", "probabilities", "raw_scores", "scores", "masked_scores", "weights"),
    ),
    "positions": Idea(
        "Positions as clocks",
        "A Transformer reads all words at once, so it has to be given their order: in the "
        "paper the position of each word is added, as hands of clocks. The first hand goes round "
        "in 6.3 words and tells neighbors apart; the last hardly moves and tells the beginning "
        "from the end. Each tip is two numbers: sine across, cosine up.",
        "Give a word a different position, turn a hand, or shift by k.",
        parts=("source", "target"),
        leaves=("positions",),
    ),
    "layer_norm": Idea(
        "Layer norm",
        "Layer norm brings a row of numbers to mean 0 and deviation 1, then multiplies it by γ "
        "and adds β, which are learned. So every sublayer reads numbers of the same range, and "
        "a deep model learns steadily.",
        "Play the steps, drag a dot, or add a constant to the row and see layer norm undo it.",
        parts=("self_attn", "cross_attn", "feed_forward", "final"),
        leaves=("norm", "residual", "gamma", "beta"),
    ),
    "stream": Idea(
        "The stream as a sum",
        "The row of a word runs through the model: this is the stream. Each sublayer "
        "(attention or feed-forward) adds numbers to it, or replaces it where residual connections "
        "are off, and so moves the logit of the next word, its score before softmax. Each bar is "
        "one such move, and all bars add up to the logit.",
        "Unfold a step to see its parts, and drag the end of one.",
        parts=("output",),
        leaves=("residual", "dropout", "logits"),
    ),
    "landscape": Idea(
        "The loss as a landscape",
        "Two things about the model change, across and up. The height of the ground is the "
        "loss, which is small where the right words are likely: learning goes downhill.",
        "Press or drag in the picture to set both numbers, or go downhill step by step.",
        parts=("output",),
        leaves=("loss", "token_loss"),
    ),
    "chain": Idea(
        "The chain rule",
        "The loss says how wrong the model is. If one number moves a little, how does the loss "
        "move? You can try: move it and run the model again. The gradient predicts it without "
        "trying, by the chain rule: how far the number moves each of the next numbers, times "
        "how far each of those moves the loss, added up.",
        "Drag the dot on the curve, near and far. Press a line to follow the chain from there.",
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

# The views of the pictures in Explore: name of the view -> label.
FORMS_OF_IDEAS = {IDEA + name: idea.label for name, idea in IDEAS.items()}


def ideas_of_part(part: str) -> list[tuple[str, str]]:
    """Return the view and the label of each picture that explains a part, such as a sublayer."""
    last = part.rpartition(".")[2]
    return [(IDEA + name, idea.label) for name, idea in IDEAS.items() if last in idea.parts]


def ideas_of_matrix(path: str) -> list[tuple[str, str]]:
    """Return the view and the label of each picture that explains the matrix at a path."""
    leaf = path.rpartition(".")[2]
    return [(IDEA + name, idea.label) for name, idea in IDEAS.items() if leaf in idea.leaves]
