"""The paragraphs of the stages: what each stage computes, and why.

Backticks set a name in the number font. Keep each paragraph to a few short sentences.
"""

from typing import NamedTuple


class Text(NamedTuple):
    """A stage's paragraphs, and more text that a reader may unfold."""

    paragraphs: list[str]
    summary: str = ""
    more: list[str] = []  # noqa: RUF012 - read only


NONE = Text([])

SOURCE = Text(
    [
        "The model looks up every token in a table of embeddings: the same word always has the "
        "same row. Press an underlined number of the first matrix and drag it: the model "
        "recomputes everything below.",
        "A word's vector says nothing about its position, so the model adds a pattern of waves "
        "that differs at each position.",
    ],
    "Why add positions, and why waves?",
    [
        "Attention compares every token with every other and ignores their order. Without "
        "positions “dog bites man” and “man bites dog” would look alike.",
        "Even dimensions carry a sine, odd ones a cosine, from fast waves on the left to slow "
        "ones on the right. A shift by a fixed number of places turns each pair by a fixed "
        "angle, so relative distance is easy to read off. Positions count from 0.",
        "A recurrent network reads one word after another and needs n steps in a row. Here all "
        "positions are rows of one matrix and are computed at the same time.",
    ],
)

UNPROJECTED = Text(
    [
        "Before any weights are learned, tokens can already attend to one another: compare each "
        "embedding with each (a dot product), turn every row into shares that sum to 1, and mix "
        "the embeddings by those shares. Here queries, keys and values are all the embeddings "
        "themselves.",
    ],
    "What is missing?",
    [
        "A token is mostly most similar to itself, and it can only ask one fixed question: “who "
        "is like me?” The projections of the next stage let it ask for something else than it "
        "offers, and several heads let it ask several things at once. This stage is a view of "
        "its own: nothing further down is computed from it.",
    ],
)

SELF_ATTENTION = Text(
    [
        "Each token has a query `Q` (what it looks for), a key `K` (what it offers to be found "
        "by) and a value `V` (what it passes on). The better a query and a key match, the more "
        "the token takes of that value.",
    ],
    "Why several heads, why divide by √d_k, why add the input again?",
    [
        "Each head has its own three projections, so each head looks for something different. "
        "The results are joined side by side and mixed by `W^O`.",
        "A dot product of `d_k` numbers grows like √d_k. Large scores would make the softmax "
        "all-or-nothing, where a small change makes no difference and nothing can be learned. "
        "Switch the scale off in the settings and watch the rows of `A` turn to 0 and 1.",
        "The residual connection adds the input again: a sublayer only has to find a "
        "correction, and gradients have a straight way down. Layer norm then brings every row "
        "back to mean 0 and deviation 1, so that numbers neither swell nor fade from layer to "
        "layer; `γ` and `β` let the model choose another size and shift.",
    ],
)

MASKED_SELF_ATTENTION = Text(
    [
        "The same as in the encoder, but a token may only look at itself and at what comes "
        "before it: when the model writes, later words do not exist yet. The mask `M` sets every "
        "later score to −∞, which the softmax turns into a weight of 0.",
    ],
    "Encoder and decoder: the three differences",
    [
        "First, self-attention here is masked: position i sees j ≤ i. In the encoder it looks "
        "both ways.",
        "Second, a decoder layer has one more sublayer, cross-attention, that looks at the "
        "encoder's output. The encoder never looks back.",
        "Third, the decoder ends in probabilities for the next word; the encoder ends in "
        "vectors, one for each source token.",
    ],
)

CROSS_ATTENTION = Text(
    [
        "Here the two sequences meet: queries come from the target, keys and values from the "
        "encoder's output. Each row of `A` says where in the source a target position looks. "
        "So `A` has as many columns as the source has tokens.",
    ],
)

FEED_FORWARD = Text(
    [
        "Now the model works on each token by itself: `W_1` spreads its row over more "
        "dimensions, the activation bends each of them, and `W_2` brings the row back to its "
        "width.",
        "The same two matrices, `W_1` and `W_2`, apply to every token; no token sees any other "
        "token here. Choose one to follow its row by itself.",
    ],
    "What does it do?",
    [
        "Attention moves information between tokens; this network processes it. Each hidden "
        "unit is a small detector: a column of `W_1` is the pattern that it detects, a row of "
        "`W_2` is what it adds then. Without the activation, one matrix could replace both.",
    ],
)

TARGET = Text(
    [
        "The decoder reads what has been written so far, from `<sos>` on. Its embeddings and "
        "positions are made as for the source.",
    ],
)

FINAL = Text(
    [
        "One more layer norm at the end of the stack. With the norm before each sublayer, the "
        "sums along the residual connections would otherwise keep growing."
    ],
)

_OUTPUT = (
    "Every word of the vocabulary gets a score at every position, and the softmax turns "
    "each row into probabilities. The row of a token is the guess for the token after it; "
    "the last row is what would be written next."
)

OUTPUT = Text(
    [
        _OUTPUT,
        "These weights are random until you train them, so the prediction means nothing yet. "
        "But you can see how it depends on every number above.",
    ],
)

OUTPUT_TRAINED = Text(
    [
        _OUTPUT,
        "These weights are trained. Change one of them, or a token, and see how the "
        "probabilities change.",
    ],
)

ALL_HEADS = Text(
    [
        "Which word looks at which, at a glance: one picture for each head. A column is a token "
        "that is looked at, a row one that looks. The stronger the color, the larger the weight; "
        "choose one to see it below.",
    ],
)

_LINKS = (
    "A link runs from the token that is looked at, on the left, to the one that looks; the "
    "thicker and stronger it is, the larger its weight. Point at a token to see its links "
    "alone, with their numbers; press a link, or its two tokens one after the other, to take it "
    "apart below. Drag a link up to train the model towards a larger weight here."
)

LINKS_OF = {
    "encoder.self_attn": Text([_LINKS]),
    "decoder.self_attn": Text(
        [_LINKS, "With the causal mask no link runs upward: what comes later has a weight of 0."]
    ),
    "decoder.cross_attn": Text(
        [_LINKS, "Queries come from the target, keys and values from the source."]
    ),
}

PAIR = Text(
    [
        "How one weight is computed: the query and the key are multiplied number by number and "
        "added up, and softmax turns the row of scores into weights that sum to 1.",
    ],
)

NO_RESIDUAL = (
    "The residual connections are off: this sublayer does not add its input, so only its own "
    "result is passed on."
)

NO_RESIDUAL_ACROSS = (
    "From here on only values of the source are passed on: a target word decides only where it "
    "looks. Show the gradients to see how little reaches the first layers of the target."
)

SHARES = "Each row of A sums to 1: a token divides its attention among the keys."
NO_SHARES = (
    "Softmax makes each row of A sum to 1. Here a number was set by hand, so some rows do not."
)
CAUSAL = (
    "The causal mask: −∞ where a key comes after the query, which the softmax turns into a weight "
    "of 0."
)
PADDED = (
    "A whole column of −∞ is a padding token: no query can look at it, so it changes no other "
    "token."
)
DROPPED = "Dropout is on; dropped numbers are hatched."

PROBABILITIES = "The loss is computed from the logits, not from these, so their gradients are 0."

NEXT_IS_RIGHT = (
    "Teacher forcing: the decoder reads the right words, whatever it would have written "
    "itself. At each position the next right word should follow."
)

OWN_WORDS = "Here the words that the model writes count as right."
OWN_IS_RIGHT = (
    "The decoder reads its own words, and at each position its next word counts as right, even if "
    "the translation is wrong."
)

SAME_IS_RIGHT = (
    "An encoder alone is trained to predict each of its own words, so that word is the right one."
)

CROSS_ENTROPY = (
    "t is 1 at the right word and 0 elsewhere, so this is −log p of the right word. {from_logits}"
)

SMOOTHED = (
    "Label smoothing: t is {right:.3g} at the right word and {other:.3g} at each of the others, so "
    "that being all too sure costs something. {from_logits}"
)

FROM_LOGITS = (
    "It is computed from the logits L and not from p, which would lose digits. Padding does not "
    "count."
)

LOSS = (
    "The loss, one number for the whole text: the mean over the positions that count. Training "
    "makes it smaller; every gradient on this page says how it responds to one number. (Its own "
    "gradient, where gradients are shown, is 1.)"
)
