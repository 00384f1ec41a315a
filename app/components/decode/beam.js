/** Beam search: the tree, one node in detail, and the hypotheses. */

import { make, setText } from "../shared/dom.js";
import { Bars } from "./bars.js";
import {
  attentionLink,
  followRow,
  part,
  percentText,
  placeText,
  reachable,
  signedText,
  textOrNothing,
} from "./parts.js";
import { STATUS, TreeView } from "./tree.js";

/** @import {DecodeData, Hypothesis, NodeDetail, SearchTree, Send, TreeNode} from "./types.js" */

/** @type {Record<SearchTree["style"], string>} */
const LEADS = {
  textbook:
    "Each open branch is continued by every word, and of all these only as many stay as the beam " +
    "is wide. What ends a text waits to be ranked, and its place stays empty. A longer text has " +
    "a smaller P, so log P is divided by a length penalty, ((5 + |Y|) / 6) to the power α.",
  huggingface:
    "Each open branch is continued by every word, and as many open ones stay as the beam is " +
    "wide: what ends a text waits to be ranked and takes no place. A longer text has a " +
    "smaller P, so log P is divided by a length penalty, |Y| to the power α.",
};
const LEGEND = [
  { kind: "best", text: "best hypothesis" },
  { kind: "open", text: "kept" },
  { kind: "finished", text: "■ finished, ends a text" },
  { kind: "dropped", text: "✕ dropped: too many likelier ones" },
];
const COLUMNS = ["#", "text", "|Y|", "log P", "penalty", "score"];

/** @type {Record<SearchTree["stop"], string>} */
const STOPS = {
  "nothing open": "The search is over: every branch that was kept has come to its end.",
  "nothing better": "The search is over: no open branch could come to a better score any more.",
  enough: "The search is over: as many texts have ended as the beam is wide.",
  limit: "The limit is reached. Branches that are still open are ranked as they are.",
};

/**
 * Why the search ended. Hugging Face's rule compares open branches at the length that they have.
 * @param {SearchTree["stop"]} stop @param {SearchTree["style"]} style
 */
function stopped(stop, style) {
  return stop === "nothing better" && style === "huggingface"
    ? "The search is over: no open branch has a better score now than those that have ended."
    : STOPS[stop];
}

export class BeamView {
  /** @param {Send} send @param {(id: number) => void} select selects a node */
  constructor(send, select) {
    /** Selects a node and shows its step in the picture, too. @param {number} id */
    this.select = (id) => {
      select(id);
      this.followNode(id);
    };
    this.beam = /** @type {SearchTree | null} */ (null);
    this.selected = 0;
    this.tree = new TreeView({
      select: (id) => this.select(id),
      look: (id) => this.explain(id),
    });
    this.scoreTitle = make("h2");
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.rank = make("p", { class: "hint" });
    this.path = make("p", { class: "path" });
    this.arithmetic = make("div", {
      class: "arithmetic",
      role: "group",
      "aria-label": "arithmetic",
    });
    this.text = make("output", { class: "text" });
    this.bars = new Bars({ chosen: "this node" });
    this.barsTitle = make("h2");
    this.hypotheses = make("tbody");
    this.stop = make("p", { class: "hint" });
    this.lead = make("p", { class: "lead" });
    this.which = make("span", {});
    this.words = make("div", { class: "in-words" });
    this.alternative = make("details", {}, make("summary", {}, "The tree in words"), this.words);
    this.alternative.addEventListener("toggle", () => this.fillWords());
    this.node = make(
      "div",
      { class: "way" },
      this.verdict,
      this.lead,
      make(
        "ul",
        { class: "legend", role: "list" },
        ...LEGEND.map(({ kind, text }) =>
          make(
            "li",
            {},
            make("span", { class: `swatch ${kind}` }),
            make("span", {}, text, kind === "dropped" ? this.which : null),
          ),
        ),
        make("li", {}, "Number: log p of the word"),
      ),
      this.tree.node,
      this.stop,
      make("section", { class: "part" }, this.scoreTitle, this.path, this.arithmetic),
      make(
        "div",
        { class: "halves" },
        part(
          "Text of the selected node",
          this.text,
          this.rank,
          attentionLink(() => send({ type: "attention", id: this.selected })),
        ),
        make("section", { class: "part" }, this.barsTitle, this.bars.node),
      ),
      part(
        "Hypotheses, the best first",
        reachable(
          make(
            "div",
            { class: "scroll", role: "group", "aria-label": "Hypotheses" },
            make(
              "table",
              { class: "hypotheses" },
              make("caption", { class: "visually-hidden" }, "Hypotheses with their scores"),
              make(
                "thead",
                {},
                make("tr", {}, ...COLUMNS.map((name) => make("th", { scope: "col" }, name))),
              ),
              this.hypotheses,
            ),
          ),
        ),
      ),
      this.alternative,
    );
  }

  /** @param {DecodeData} data @param {NodeDetail} detail */
  take({ beam, dropped = false }, detail) {
    if (!beam) return;
    const { nodes, rows, hypotheses, stop, style } = beam;
    if (this.beam !== beam) {
      this.beam = beam;
      this.tree.take(nodes, rows);
      setText(this.lead, LEADS[style]);
      setText(this.stop, stopped(stop, style));
      this.hypotheses.replaceChildren(
        ...hypotheses.map((hypothesis, k) => this.hypothesis(hypothesis, nodes[hypothesis.id], k)),
      );
      this.fillWords();
    }
    this.selected = nodes[detail.id] ? detail.id : hypotheses[0].id;
    this.tree.show(this.selected, dropped);
    setText(this.which, dropped ? "" : "; shown at the step that is selected or pointed at");
    setText(this.text, textOrNothing(detail.text));
    const { token, parent, rank, status, step, p } = nodes[this.selected];
    const place = placeText(detail.before);
    setText(
      this.verdict,
      parent === null ? "Nothing is written yet." : `${place} comes “${token}”, ${percentText(p)}.`,
    );
    setText(
      this.rank,
      parent === null
        ? ""
        : `Rank ${rank} among all that could follow at step ${step}: ${STATUS[status]}.`,
    );
    this.barsTitle.replaceChildren(
      ...(parent === null
        ? ["What the first word is chosen from"]
        : ["What ", make("span", { class: "as-it-is" }, token), " was chosen from"]),
    );
    this.bars.show(`Distribution before ${token}`, detail.bars);
    this.explain(null);
  }

  /**
   * Shows the path to a node and how its score is computed; without an id, those of the selected
   * node.
   * @param {number | null} id
   */
  explain(id) {
    if (!this.beam) return;
    const { nodes, alpha, style } = this.beam;
    const node = nodes[id ?? this.selected];
    const way = wayTo(node, nodes);
    const isPreview = id !== null && id !== this.selected;
    this.arithmetic.classList.toggle("preview", isPreview);
    setText(
      this.scoreTitle,
      isPreview
        ? "Score of the node under the pointer or the keyboard"
        : "Score of the selected node",
    );
    setText(this.path, way.map(({ token }) => token).join(" → "));
    /** @param {string} text */
    const line = (text) => make("p", {}, text);
    if (node.parent === null) {
      this.arithmetic.replaceChildren(line("log P = 0: nothing is written yet."));
      return;
    }
    const terms = way
      .slice(1)
      .map(({ own }, k) => (k ? `− ${signedText(Math.abs(own))}` : signedText(own)))
      .join(" ");
    this.arithmetic.replaceChildren(
      line(`Σ log p = ${terms}${node.step > 1 ? ` = ${signedText(node.total)}` : ""}`),
      line(
        style === "textbook"
          ? `penalty = ((5 + ${node.step}) / 6)^${alpha} = ${node.penalty.toFixed(3)}`
          : `penalty = ${node.step}^${alpha} = ${node.penalty.toFixed(3)}`,
      ),
      make(
        "p",
        { class: "result" },
        `score = ${signedText(node.total)} / ${node.penalty.toFixed(3)} ` +
          `= ${signedText(node.score)}`,
      ),
    );
  }

  /** @param {number} id of a node */
  followNode(id) {
    const { given, nodes } = /** @type {SearchTree} */ (this.beam);
    const way = wayTo(nodes[id], nodes).slice(1, -1);
    followRow([...given, ...way.map(({ token }) => token)]);
  }

  /** @param {Hypothesis} hypothesis @param {TreeNode} node its last node @param {number} k */
  hypothesis({ id, text, finished }, { step, total, penalty, score }, k) {
    return make(
      "tr",
      { class: k ? "" : "best" },
      make("td", {}, String(k + 1)),
      make(
        "th",
        { scope: "row" },
        make(
          "button",
          { type: "button", class: "link", onclick: () => this.select(id) },
          textOrNothing(text),
        ),
        finished ? null : make("span", { class: "mark" }, "no end"),
      ),
      ...[String(step), signedText(total), penalty.toFixed(3), signedText(score)].map((value) =>
        make("td", { class: "number" }, value),
      ),
    );
  }

  /** Lists the tree by step, when the reader opens the list. */
  fillWords() {
    if (!this.alternative.open || !this.beam) return;
    const { nodes } = this.beam;
    const steps = Math.max(...nodes.map(({ step }) => step));
    /** @param {TreeNode} node */
    const line = (node) => {
      const text = wayTo(node, nodes).slice(1);
      const [own, total, score] = [node.own, node.total, node.score].map((x) => signedText(x));
      const numbers = `log p ${own}, log P ${total}, score ${score}`;
      return `${text.map(({ token }) => token).join(" ")}: ${STATUS[node.status]}, ${numbers}`;
    };
    this.words.replaceChildren(
      make(
        "ol",
        {},
        ...Array.from({ length: steps }, (_, k) =>
          make(
            "li",
            {},
            nodes
              .filter(({ step }) => step === k + 1)
              .map(line)
              .join("; "),
          ),
        ),
      ),
    );
  }
}

/**
 * The nodes from the root to a node, both included.
 * @param {TreeNode} node
 * @param {TreeNode[]} nodes
 */
function wayTo(node, nodes) {
  const way = [node];
  for (let { parent } = node; parent !== null; parent = nodes[parent].parent)
    way.unshift(nodes[parent]);
  return way;
}
