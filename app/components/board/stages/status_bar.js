/** The strip that stays at the bottom: the cell in question in full precision, the legend, and what the page has to say. */

import { make, setText } from "../../shared/dom.js";
import { DECIMAL, decimalText, gradientText, scientificText } from "../../shared/number_format.js";
import { makeLegend } from "../paint/legend.js";
import { dotWords } from "../paint/overview.js";

const HINT = "Point at a cell to read it, click one to change it.";

export class Status {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.el = make("div", { class: "status" });
    this.readout = make("div", { class: "readout" });
    this.hint = make("div", { class: "hint" }, HINT);
    this.path = make("span", { class: "path" });
    this.where = make("span", { class: "where" });
    this.value = make("strong", { class: "value" });
    this.decimal = make("span", { class: "decimal" });
    const place = make("div"),
      number = make("div");
    place.append(this.where, this.path);
    number.append(this.value, this.decimal);
    this.readout.append(this.hint, place, number);
    this.notice = make("div", { class: "notice" });
    this.notice.setAttribute("role", "status");
    this.live = make("div", { class: "unseen" });
    this.live.setAttribute("aria-live", "polite");
    this.legend = makeLegend();
    this.el.append(this.notice, this.readout, this.legend);
    board.root.addEventListener("pointerdown", () => this.clear());
    board.root.addEventListener("keydown", () => this.clear());
  }

  /** What can be done here; where numbers are only looked at, a hint of its own. @param {string | undefined} hint */
  explain(hint) {
    setText(this.hint, hint || HINT);
    this.el.classList.toggle("only-read", Boolean(hint));
  }

  /** To a screen reader. */
  say(text) {
    this.live.textContent = text;
  }

  /** One sentence, until the next action or for 8 s. */
  show(text) {
    this.notice.textContent = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.clear(), 8000);
  }

  clear() {
    if (this.notice.textContent) this.notice.textContent = "";
  }

  /** The cell pointed at, or that the keyboard is on, or that is selected: the first there is. */
  subject() {
    const { pointed, grids, selection, windows } = this.board;
    if (pointed) return { matrix: pointed.view.matrix, i: pointed.i, j: pointed.j };
    if (grids.focused) return { matrix: grids.focused.matrix, ...grids.focused.active };
    return selection && windows.cell(selection.path, selection.i, selection.j);
  }

  refresh() {
    const of = this.subject();
    const known = of !== null && of.i < of.matrix.rows && of.j < of.matrix.cols;
    this.el.classList.toggle("empty", !known);
    if (!known) return;
    const { matrix, i, j } = of,
      { entry } = matrix,
      v = matrix.values?.[i * matrix.cols + j];
    setText(this.path, entry.products ? matrix.path : (entry.origin?.[0] ?? matrix.path));
    setText(
      this.where,
      entry.block
        ? dotWords(entry, i, j)
        : `row ${entry.row_labels[i] || "∅"}, column ${entry.col_labels[j] || "∅"}`,
    );
    const inDecimals = this.board.notation === DECIMAL && Number.isFinite(v);
    setText(this.value, inDecimals ? decimalText(Number(v.toPrecision(3))) : scientificText(v));
    const mark = matrix.flags ? matrix.flags[i * matrix.cols + j] : 0;
    const said = [mark & 1 && "dropped", mark & 4 ? "overridden" : mark & 2 && "edited"]
      .filter(Boolean)
      .join(", ");
    const also = !Number.isFinite(v)
      ? ""
      : `= ${decimalText(v)}${inDecimals && v ? ` = ${scientificText(v)}` : ""}`;
    const was = matrix.baseline?.[i * matrix.cols + j];
    const since =
      was === undefined
        ? ""
        : ` · pinned ${decimalText(was)}, change ${decimalText(v === was ? 0 : Number((v - was).toPrecision(6)))}`;
    const largest =
      entry.block && entry.block[0] * entry.block[1] > 1
        ? " · the number of largest magnitude there"
        : "";
    const g = this.board.showsGradients ? matrix.gradients?.[i * matrix.cols + j] : undefined;
    const number =
      g === undefined ? also : `gradient ${gradientText(g)} · value ${also.replace("= ", "")}`;
    setText(this.decimal, number + largest + (said ? ` · ${said}` : "") + since);
  }
}

/** An element's text is touched only if it changes: this runs in every frame. */
export function put(el, text) {
  if (el.textContent !== text) el.textContent = text;
}
