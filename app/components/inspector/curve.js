import { make, setAttribute, setText } from "../shared/dom.js";
import { decimalText } from "../shared/number_format.js";

const CURVE = { width: 240, height: 96, left: 4, right: 4, top: 8, bottom: 18 };

/** A probability against the selected value, from the server; the value itself is a point that moves along it. */
export class ResponseCurve {
  /** @param {(value: number) => void} set @param {(row: number, column: number) => void} watch */
  constructor(set, watch) {
    this.set = set;
    this.curve = {};
    const { width, height } = CURVE;
    const svg = (tag, attributes = {}) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      return node;
    };
    this.line = svg("path", { class: "curve-line" });
    this.stem = svg("line", { class: "curve-stem", y1: CURVE.top, y2: height - CURVE.bottom });
    this.dot = svg("circle", { class: "curve-dot", r: 5 });
    this.low = svg("text", { class: "curve-text", x: CURVE.left, y: height - 4 });
    this.high = svg("text", {
      class: "curve-text",
      x: width - CURVE.right,
      y: height - 4,
      "text-anchor": "end",
    });
    this.most = svg("text", { class: "curve-text", x: CURVE.left, y: CURVE.top + 4 });
    this.plot = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img" });
    this.plot.append(
      svg("line", {
        class: "curve-axis",
        x1: CURVE.left,
        x2: width - CURVE.right,
        y1: height - CURVE.bottom,
        y2: height - CURVE.bottom,
      }),
      this.stem,
      this.line,
      this.dot,
      this.low,
      this.high,
      this.most,
    );
    this.plot.addEventListener("click", (event) => this.clicked(event));
    this.word = make("select", {
      id: "curve-word",
      onchange: () => watch(this.curve.row, Number(this.word.value)),
    });
    this.after = make("select", {
      id: "curve-row",
      onchange: () => watch(this.after.selectedIndex, Number(this.word.value)),
    });
    this.hint = make("p", { class: "small" });
    this.node = make(
      "section",
      { class: "response" },
      make("h2", {}, "If this value were …"),
      make(
        "div",
        { class: "curve-choice" },
        make("label", { for: "curve-word" }, "p of"),
        this.word,
        make("label", { for: "curve-row" }, "after"),
        this.after,
      ),
      this.plot,
      this.hint,
    );
  }

  /**
   * @param {{low: number, high: number, probabilities: number[], row: number, column: number,
   *   words: [number, string][], after: string[]}} curve words: the columns to choose from
   */
  take(curve) {
    this.curve = curve;
    this.node.hidden = !curve.probabilities;
    if (this.node.hidden) return;
    const { low, high, probabilities, row, column, words, after } = curve;
    this.options(this.word, words, column);
    this.options(
      this.after,
      after.map((label, k) => [k, label]),
      row,
    );
    setText(
      this.hint,
      `Computed at ${probabilities.length} values. Click the curve to set the value.`,
    );
    // From zero, so that a small answer looks small.
    this.scale = 1.25 * Math.max(0.05, ...probabilities);
    const points = probabilities.map(
      (p, k) =>
        `${this.x(low + ((high - low) * k) / (probabilities.length - 1)).toFixed(1)} ${this.y(p).toFixed(1)}`,
    );
    this.line.setAttribute("d", `M${points.join("L")}`);
    setText(this.low, decimalText(low));
    setText(this.high, `+${decimalText(high)}`);
    setText(this.most, `up to ${Number(Math.max(...probabilities).toPrecision(2))}`);
    const name = words.find(([k]) => k === column)?.[1] || "∅";
    setAttribute(
      this.plot,
      "aria-label",
      `Probability of ${name}, from ${Math.min(...probabilities).toFixed(3)} to ${Math.max(...probabilities).toFixed(3)}, as the value goes from ${low} to ${high}`,
    );
    this.show(this.last);
  }

  /** @param {[number, string][]} choices */
  options(select, choices, chosen) {
    const key = JSON.stringify(choices);
    if (select.dataset.key !== key) {
      select.replaceChildren(
        ...choices.map(([value, label]) => make("option", { value }, label || "∅")),
      );
      select.dataset.key = key;
    }
    select.value = chosen;
  }

  x(value) {
    const { low, high } = this.curve;
    return CURVE.left + ((CURVE.width - CURVE.left - CURVE.right) * (value - low)) / (high - low);
  }

  y(p) {
    return (
      CURVE.height - CURVE.bottom - ((CURVE.height - CURVE.top - CURVE.bottom) * p) / this.scale
    );
  }

  /** @param {number} value now */
  show(value) {
    this.last = value;
    const { low, high, probabilities } = this.curve;
    if (!probabilities || !Number.isFinite(value)) return;
    const share =
      Math.min(1, Math.max(0, (value - low) / (high - low))) * (probabilities.length - 1);
    const before = Math.floor(share),
      after = Math.min(before + 1, probabilities.length - 1);
    const p =
      probabilities[before] + (probabilities[after] - probabilities[before]) * (share - before);
    const x = this.x(Math.min(high, Math.max(low, value)));
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", this.y(p));
    this.stem.setAttribute("x1", x);
    this.stem.setAttribute("x2", x);
  }

  clicked(event) {
    const box = this.plot.getBoundingClientRect();
    const { low, high } = this.curve;
    const across = ((event.clientX - box.left) / box.width) * CURVE.width;
    const value =
      low + ((high - low) * (across - CURVE.left)) / (CURVE.width - CURVE.left - CURVE.right);
    this.set(Math.round(Math.min(high, Math.max(low, value)) * 100) / 100);
  }
}
