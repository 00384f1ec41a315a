"""Generates the forward pass as a short script, in NumPy or PyTorch.

A script contains only the code that the settings need: no branch for another activation, no mask
without padding, no dropout outside of training. Steps with overridden cells are wrapped in
``override``. The data are at the end, so that the script begins with the paper's formulas.
"""

from __future__ import annotations

import numpy as np

from .dialect import Dialect
from .literals import cell_dictionary, dictionary, encoded, word_list
from .pass_snapshot import PassSnapshot

# The most parameters that are embedded in the script as text; more are written to a file.
MAX_INSIDE = 50_000
WEIGHTS_FILE = "tinkerformer.safetensors"


def write(snapshot: PassSnapshot, dialect: Dialect) -> str:
    """Generate the script."""
    return _Writer(snapshot, dialect).text()


class _Writer:
    def __init__(self, snapshot: PassSnapshot, dialect: Dialect) -> None:
        self.snapshot = snapshot
        self.config = snapshot.config
        self.dialect = dialect
        self.padded = self._is_padded("source") or self._is_padded("target")

    def text(self) -> str:
        parts = [
            self.head(),
            self.settings(),
            *self.steps(),
            self.run(),
            self.data(),
            self.end(),
        ]
        return "\n\n\n".join(part.strip("\n") for part in parts if part) + "\n"

    # -- pieces of expressions ---------------------------------------------------------------

    def overridden(self, leaf: str, expression: str, at: str = 'at + "{}"') -> str:
        """Return the expression, wrapped in ``override`` if any of its cells are overridden."""
        if not self.snapshot.is_set(leaf):
            return expression
        return f"override({at.format(leaf)}, {expression})"

    def drop(self, leaf: str, expression: str, *ends: str) -> str:
        """Return the expression, followed by dropout where dropout is active."""
        if self.snapshot.is_dropped(*(ends or (f".{leaf}",))):
            expression = f'dropout(at + "{leaf}", {expression})'
        return self.overridden(leaf, expression)

    def bias(self, leaf: str, has: bool, heads: bool = False) -> str:
        return f' + P[at + "{leaf}"]' + ("[:, None]" if heads else "") if has else ""

    # -- parts of the script -----------------------------------------------------------------

    def head(self) -> str:
        config, name = self.config, self.dialect.name
        kind = config.kind.replace("-", "–") if config.kind == "encoder-decoder" else config.kind
        training = ", in training mode" if self.snapshot.kept else ""
        inside = self.snapshot.size <= MAX_INSIDE
        weights_note = "" if inside else f"\nIt reads the weights from {WEIGHTS_FILE}, beside it."
        libraries = sorted(
            [
                "import base64" if inside or self.snapshot.kept else "",
                "" if inside else "import json",
                "" if inside else "import pathlib",
                "import math",
            ]
        )
        standard = "\n".join(line for line in libraries if line)
        return (
            f'"""The forward pass of a Transformer in {name}: {kind}, '
            f"{self.snapshot.size:,} parameters{training}.\n\n"
            "It gives the numbers that Tinkerformer showed when it was exported. The sections\n"
            f"are those of “Attention Is All You Need” (Vaswani et al., 2017).{weights_note}\n"
            f'"""\n\n{standard}\n\n{self.dialect.imports}'
        )

    def settings(self) -> str:
        config, snapshot = self.config, self.snapshot
        widths = {"d_model": config.d_model}
        if config.attention_scale == "d_k":
            widths["d_k"] = config.key_width
        if config.encoder_layers:
            widths["encoder_layers"] = config.encoder_layers
        if config.decoder_layers:
            widths["decoder_layers"] = config.decoder_layers
        lines = [f"dtype = {self.dialect.prefix}.{config.dtype}"]
        lines += [f"{name} = {value}" for name, value in widths.items()]
        for side, ids, words in (
            ("source", snapshot.source, snapshot.source_vocabulary),
            ("target", snapshot.target, snapshot.target_vocabulary),
        ):
            if ids:
                lines += [
                    word_list(f"{side}_words", words),
                    word_list(side, [words[i] for i in ids]),
                ]
        return "\n".join(lines)

    def steps(self) -> list[str]:
        config, snapshot, dialect = self.config, self.snapshot, self.dialect
        is_sample = config.norm_deviation == "sample"
        norm = dialect.sample_norm if is_sample else dialect.layer_norm
        found = [
            dialect.softmax_padded if self.padded else dialect.softmax,
            "def layer_norm(at, x):\n"
            '    """Section 3.1: each row at mean 0 and deviation 1, times γ plus β."""\n'
            + _last(self.overridden("norm", "{}"), norm.format(epsilon=config.epsilon)),
        ]
        if config.activation == "gelu":
            found.append(dialect.erf)
        if snapshot.kept:
            found.append(
                "def dropout(path, x):\n"
                '    """Section 5.4: what is kept is scaled up; masks as drawn on the page."""\n'
                "    rate, kept = KEPT.get(path, (0, 1))\n"
                "    return x * kept / (1 - rate)"
            )
        if snapshot.overridden:
            found.append(
                "def override(path, x):\n"
                '    """Computed cells that were overridden on the page."""\n'
                f"    x = x.{dialect.copy}()\n"
                "    for index, value in OVERRIDES.get(path, {}).items():\n"
                "        x[index] = value\n"
                "    return x"
            )
        if config.positions.startswith("sinusoidal"):
            found.append(dialect.sinusoidal if config.positions == "sinusoidal" else dialect.halves)
        return [*(part for part in found if part), self.embed(), self.attention(), *self.inner()]

    def embed(self) -> str:
        config = self.config
        scaled = " * math.sqrt(d_model)" if config.embedding_scale else ""
        x = self.overridden("embedding", f"table[ids]{scaled}")
        positions = {
            "none": "",
            "learned": 'P[at + "W_p"][: len(ids)]',
        }.get(config.positions, "sinusoids(len(ids))")
        if positions:
            x = f"{x} + {self.overridden('positions', positions)}"
        x = self.overridden("sum", x)
        if config.embedding_norm:
            x = f"layer_norm(at, {x})"
        x = self.drop("dropout", x, "source.dropout", "target.dropout")
        return (
            "def embed(at, table, ids):\n"
            '    """Sections 3.4 and 3.5: rows of the table plus their positions."""\n'
            f"    return {x}"
        )

    def attention(self) -> str:
        config = self.config
        bias = config.attention_bias
        projections = "\n".join(
            f"    {name} = "
            + self.overridden(
                name, f'{of} @ P[at + "W_{name}"]{self.bias(f"b_{name}", bias, True)}'
            )
            for name, of in (("q", "x"), ("k", "memory"), ("v", "memory"))
        )
        scale = {"d_k": " / math.sqrt(d_k)", "d_model": " / math.sqrt(d_model)", "none": ""}
        scores = (
            self.overridden("raw_scores", "q @ k.swapaxes(-1, -2)") + scale[config.attention_scale]
        )
        weights = self.overridden(
            "weights", f"softmax({self.overridden('masked_scores', 'scores + mask')})"
        )
        concat = self.overridden("concat", "context.swapaxes(0, 1).reshape(len(x), -1)")
        out = self.overridden("out", f'concat @ P[at + "W_o"]{self.bias("b_o", bias)}')
        return (
            "def attention(at, x, memory, mask):\n"
            '    """Section 3.2: softmax(Q Kᵀ / √d_k + M) V for all heads at once."""\n'
            f"{projections}\n"
            f"    scores = {self.overridden('scores', scores)}\n"
            f"    weights = {self.drop('weights_dropout', weights)}\n"
            f"    context = {self.overridden('context', 'weights @ v')}\n"
            f"    concat = {concat}\n"
            f"    return {out}"
        )

    def inner(self) -> list[str]:
        config = self.config
        bias = config.feed_forward_bias
        hidden = self.overridden("hidden", f'x @ P[at + "W_1"]{self.bias("b_1", bias)}')
        activation = self.overridden("activation", self.dialect.activations[config.activation])
        out = self.overridden("out", f'active @ P[at + "W_2"]{self.bias("b_2", bias)}')
        feed_forward = (
            "def feed_forward(at, x):\n"
            '    """Section 3.3: two linear maps with an activation between them."""\n'
            f"    hidden = {hidden}\n"
            f"    active = {self.drop('activation_dropout', activation)}\n"
            f"    return {out}"
        )
        pre = config.norm == "pre"
        inside = "function(layer_norm(at, x))" if pre else "function(x)"
        ends = tuple(f"{kind}.dropout" for kind in ("self_attn", "cross_attn", "feed_forward"))
        added = "x + " if config.residual else ""
        residual = self.overridden("residual", f"{added}{self.drop('dropout', inside, *ends)}")
        where = "before, unlike the paper" if pre else "after"
        again = "is added again" if config.residual else "is not added again, unlike the paper"
        sublayer = (
            "def sublayer(at, x, function):\n"
            f'    """Section 3.1: the input {again}; the norm comes {where}."""\n'
            f"    return {residual if pre else f'layer_norm(at, {residual})'}"
        )
        return [feed_forward, sublayer]

    def run(self) -> str:
        """Return the code of the whole model, Figure 1 from bottom to top."""
        config = self.config
        encoder, decoder = bool(config.encoder_layers), bool(config.decoder_layers)
        shared = config.share_embeddings and encoder
        lines = ["def transformer():", '    """Figure 1, from the bottom to the top."""']
        source_mask = "source_mask" if self._is_padded("source") else "0"
        if encoder:
            lines += [
                "    ids = [source_words.index(token) for token in source]",
                *self._mask("source"),
                '    x = embed("source.", P["source.W_e"], ids)',
                "    for n in range(encoder_layers):",
                *self._sublayer("encoder", "self_attn", f"y, {source_mask}"),
                *self._feed_forward("encoder"),
                *self._final("encoder"),
            ]
        if encoder and decoder:
            lines.append("    memory = x")
        if decoder:
            table = "source.W_e" if shared else "target.W_e"
            lines += [
                "    ids = [target_words.index(token) for token in target]",
                *self._mask("target"),
                f'    x = embed("target.", P["{table}"], ids)',
                "    for n in range(decoder_layers):",
                *self._sublayer("decoder", "self_attn", "y, target_mask"),
                *(self._sublayer("decoder", "cross_attn", f"memory, {source_mask}") * encoder),
                *self._feed_forward("decoder"),
                *self._final("decoder"),
            ]
        if config.output_transform:
            lines += self._transform()
        if config.tie_output:
            table = "target.W_e" if decoder and not shared else "source.W_e"
            logits = f'x @ P["{table}"].T'
        else:
            logits = 'x @ P["output.W_out"]'
        logits += ' + P["output.b_out"]' if config.output_bias else ""
        logits = self.overridden("logits", logits, '"output.{}"')
        return "\n".join(
            [*lines, f"    return {self.overridden('probabilities', f'softmax({logits})', OUTPUT)}"]
        )

    def _transform(self) -> list[str]:
        """Return the network before the output, as in BERT."""
        hidden = 'x @ P["output.W_t"] + P["output.b_t"]'
        active = self.dialect.activations[self.config.activation]
        return [
            f"    hidden = {self.overridden('hidden', hidden, OUTPUT)}",
            f"    active = {self.overridden('activation', active, OUTPUT)}",
            '    x = layer_norm("output.", active)',
        ]

    def _is_padded(self, side: str) -> bool:
        pad = getattr(self.config, f"{side}_pad")
        return pad is not None and pad in getattr(self.snapshot, side)

    def _mask(self, side: str) -> list[str]:
        lines = []
        if side == "target":
            dialect, hides = self.dialect, self.config.causal_mask
            lines.append(f"    target_mask = {dialect.look_ahead if hides else dialect.all_seen}")
        if self._is_padded(side):
            words = getattr(self.snapshot, f"{side}_vocabulary")
            pad = repr(str(words[getattr(self.config, f"{side}_pad")]))
            given = self.dialect.padding.format(side=side, pad=pad)
            join = "target_mask + " if side == "target" else ""
            lines.append(f"    {side}_mask = {join}{given}")
        if lines and f"{side}.mask" in self.snapshot.overridden:
            lines.append(f'    {side}_mask = override("{side}.mask", {side}_mask)')
        return lines

    def _sublayer(self, stack: str, name: str, seen: str) -> list[str]:
        return [
            f'        at = f"{stack}.{{n}}.{name}."',
            f"        x = sublayer(at, x, lambda y: attention(at, y, {seen}))",
        ]

    def _feed_forward(self, stack: str) -> list[str]:
        return [
            f'        at = f"{stack}.{{n}}.feed_forward."',
            "        x = sublayer(at, x, lambda y: feed_forward(at, y))",
        ]

    def _final(self, stack: str) -> list[str]:
        return [f'    x = layer_norm("{stack}.final.", x)'] * self.config.has_final_norm

    # -- data --------------------------------------------------------------------------------

    def data(self) -> str:
        snapshot, dialect = self.snapshot, self.dialect
        parts = []
        if snapshot.size <= MAX_INSIDE:
            stored = {
                p: array.astype(array.dtype.newbyteorder("<"))
                for p, array in snapshot.parameters.items()
            }
            entries = [f'"{p}": array({a.shape}, {encoded(a)})' for p, a in stored.items()]
            parts += [
                dialect.unpack,
                dictionary("P", "The weights, as they were on the page.", entries),
            ]
        else:
            parts += [dialect.from_file, f'P = load("{WEIGHTS_FILE}")']
        if snapshot.kept:
            entries = [
                f'"{path}": ({rate!r}, bits({kept.shape}, {encoded(np.packbits(kept))}))'
                for path, (rate, kept) in snapshot.kept.items()
            ]
            parts += [
                dialect.bits,
                dictionary("KEPT", "Dropout: the rate, a bit for each cell.", entries),
            ]
        if snapshot.overridden:
            entries = [
                f'"{path}": {cell_dictionary(cells)}' for path, cells in snapshot.overridden.items()
            ]
            parts.append(dictionary("OVERRIDES", "Overridden cells.", entries))
        return "\n\n\n".join(part.strip("\n") for part in parts)

    def end(self) -> str:
        side = "target" if self.config.decoder_layers else "source"
        return (
            "def main():\n"
            '    """Print the probability of each next word after each token."""\n'
            '    print("the next word after each token:")\n'
            f"    for token, row in zip({side}, transformer().tolist(), strict=True):\n"
            f'        print(repr(token), *(f"{{word!r}} {{p:.7f}}" for word, p in '
            f'zip({side}_words, row, strict=True)), sep="\\n    ")\n\n\n'
            'if __name__ == "__main__":\n'
            "    main()"
        )


OUTPUT = '"output.{}"'


def _last(wrapped: str, body: str) -> str:
    """Return the lines of a function, with the expression in the last line wrapped."""
    *lines, last = body.split("\n")
    return "\n".join([*(f"    {line}" for line in lines), f"    return {wrapped.format(last)}"])
