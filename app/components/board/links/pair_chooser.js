/** Which query and which key are taken apart: a sentence with three choices in it, and the weight it comes to. */

import { make, setText } from "../../shared/dom.js";
import { weightText } from "./link_curves.js";

export class PairPicker {
  /** @param {Matrix[]} matrices weights of the heads @param {Board} board @param {object} item */
  constructor(matrices, board, item) {
    this.matrices = matrices;
    this.board = board;
    this.scope = item.scope;
    this.near = false;
    this.el = make("div", { class: "pair-picker" });
    this.head = this.choice("head");
    this.query = this.choice("token that listens");
    this.key = this.choice("token it listens to");
    this.weight = make("strong", { class: "weight" });
    this.strongest = make("button", { class: "plain" }, "strongest pair");
    this.strongest.type = "button";
    this.strongest.addEventListener("click", () => {
      this.wished = null;
      board.send({ type: "focus", scope: this.scope, head: Number(this.head.value) });
    });
    // What was chosen and not answered yet: a slow answer to one choice must not undo the next.
    this.wished = /** @type {{head: number, query: number, key: number} | null} */ (null);
    const sentence = make("span", { class: "sentence" });
    if (matrices.length > 1) sentence.append("In ", this.head, " ");
    sentence.append(this.query, " listens to ", this.key, " with weight ", this.weight);
    this.el.append(sentence, this.strongest);
    for (const matrix of matrices) matrix.views.add(this);
  }

  choice(label) {
    const select = make("select");
    select.setAttribute("aria-label", label);
    select.addEventListener("change", () => {
      this.wished = {
        head: Number(this.head.value),
        query: Number(this.query.value),
        key: Number(this.key.value),
      };
      this.board.send({ type: "pair", scope: this.scope, ...this.wished });
    });
    return select;
  }

  describe() {
    const { row_labels, col_labels } = this.matrices[0].entry,
      focus = this.focus();
    this.fill(
      this.head,
      this.matrices.map((_, k) => `head ${k + 1}`),
      focus.head,
    );
    this.fill(this.query, told(row_labels), focus.query);
    this.fill(this.key, told(col_labels), focus.key);
    this.el.style.setProperty("--head", `var(--head-${(focus.head % 8) + 1})`);
    this.show();
  }

  /** The pair to show as chosen: what the visitor asked for last, else what the board shows. */
  focus() {
    const { focus } = this.board.manifest,
      wished = this.wished;
    const rows = this.matrices[0].rows,
      columns = this.matrices[0].cols;
    if (!wished || wished.query >= rows || wished.key >= columns) this.wished = null;
    else if (["head", "query", "key"].every((name) => wished[name] === focus[name]))
      this.wished = null;
    return this.wished ?? focus;
  }

  fill(select, texts, chosen) {
    const now = [...select.options].map((option) => option.text);
    if (texts.length !== now.length || texts.some((text, k) => text !== now[k]))
      select.replaceChildren(
        ...texts.map((text, k) => Object.assign(make("option", {}, text), { value: k })),
      );
    select.value = chosen;
  }

  place() {}

  approach(near) {
    this.near = near;
  }

  paint() {
    this.show();
    return false;
  }

  show() {
    const { head, query, key } = this.board.manifest.focus,
      matrix = this.matrices[head];
    setText(this.weight, weightText(matrix?.values?.[query * matrix.cols + key]));
  }

  remove() {
    for (const matrix of this.matrices) matrix.views.delete(this);
  }
}

/** Tokens to choose from; one that comes twice has its position with it. */
const told = (labels) =>
  labels.map((label, k) => {
    const word = label || "∅";
    return labels.indexOf(label) === labels.lastIndexOf(label) ? word : `${word} (${k})`;
  });
