/**
 * Converts TeX to runs of text, for pictures that have to be readable without KaTeX. Supports the
 * commands in the page's formulas, and writes any other command as its name.
 */

/**
 * @typedef {object} Run
 * @property {string} text
 * @property {number} up in em above the baseline
 * @property {number} size relative to the font size
 * @property {boolean} italic
 * @property {boolean} [over] whether the run is placed above the previous run
 *
 * @typedef {{up: number, size: number, upright: boolean, words?: boolean}} RunStyle
 */

/** @type {Record<string, string>} */
const TEX_SIGNS = {
  cdot: " · ",
  times: " × ",
  odot: " ⊙ ",
  rightarrow: " → ",
  to: " → ",
  gamma: "γ",
  beta: "β",
  mu: "μ",
  sigma: "σ",
  varepsilon: "ε",
  epsilon: "ε",
  Phi: "Φ",
  pi: "π",
  prime: "′",
  top: "⊤",
  ldots: "…",
  cdots: "⋯",
  sum: "Σ",
  infty: "∞",
  le: " ≤ ",
  ge: " ≥ ",
  ne: " ≠ ",
  in: " ∈ ",
  pm: " ± ",
  Delta: "Δ",
  qquad: "\u2003\u2003",
  quad: "\u2003",
  ",": "\u2009",
  ";": "\u2005",
  "|": "‖",
};
/** Commands that only change sizes and spaces. */
const TEX_SILENT = /^(!|left|right|middle|(display|text|script)style|big[lr]?|Big|limits)$/;
const TEX_UPRIGHT = new Set(["max", "min", "sin", "cos", "tanh", "exp", "log", "softmax"]);
const TEX_GROUPS = new Set([
  "mathrm",
  "text",
  "mathbf",
  "operatorname",
  "mathit",
  "boxed",
  "textcolor",
]);

const SCRIPT_SIZE = 0.72;
const RAISED = 0.38;
const LOWERED = -0.18;

/** @param {string} tex */
export function texRuns(tex) {
  const reader = new TexReader(tex);
  reader.readAll();
  return reader.runs;
}

class TexReader {
  /** @param {string} tex */
  constructor(tex) {
    /** @type {string[]} commands, single characters, and runs of spaces */
    this.tokens = [...(tex.match(/\\[a-zA-Z]+|\\.|[{}^_]|\s+|[^\\{}^_\s]/gu) ?? [])];
    this.at = 0;
    /** @type {Run[]} */
    this.runs = [];
  }

  readAll() {
    while (this.at < this.tokens.length) this.one({ up: 0, size: 1, upright: false });
  }

  /** Returns the next token, or undefined at the end. */
  peek() {
    return this.tokens.at(this.at);
  }

  /** Skips to just after the next occurrence of a token. @param {string} token */
  skipPast(token) {
    this.at += this.tokens.slice(this.at).indexOf(token) + 1;
  }

  /** @param {string} text @param {RunStyle} style @param {boolean} [italic] */
  put(text, { up, size }, italic = false) {
    if (!text) return;
    const last = this.runs.at(-1);
    if (last && last.up === up && last.size === size && last.italic === italic) last.text += text;
    else this.runs.push({ text, up, size, italic });
  }

  /** Converts the next item. @param {RunStyle} style */
  one(style) {
    const token = this.peek();
    if (token === undefined) return;
    if (token === "{") {
      this.group(style);
      return;
    }
    this.at += 1;
    if (token === "^" || token === "_") this.script(token, style);
    else if (token[0] === "\\") this.command(token.slice(1), style);
    else if (/^[a-zA-Z]$/.test(token)) this.put(token, style, !style.upright);
    else this.put(sign(token, style), style);
  }

  /** Converts a group in braces, or one character. @param {RunStyle} style */
  group(style) {
    while (/^\s+$/.test(this.peek() ?? "")) this.at += 1;
    if (this.peek() !== "{") {
      this.one(style);
      return;
    }
    this.at += 1;
    while (this.peek() !== undefined && this.peek() !== "}") this.one(style);
    this.at += 1;
  }

  /**
   * Converts a group; adds parentheses around a sum or product, because no fraction bar or root
   * sign encloses it.
   * @param {RunStyle} style
   */
  bracketed(style) {
    const isSum = this.isSum();
    if (isSum) this.put("(", style);
    this.group(style);
    if (isSum) this.put(")", style);
  }

  /** Whether the next group is a sum or a product. */
  isSum() {
    let depth = 0;
    for (const token of this.tokens.slice(this.at)) {
      if (token === "{") depth += 1;
      else if (token === "}") depth -= 1;
      else if (depth === 1 && /^([-+/]|\\cdot|\\times)$/.test(token)) return true;
      if (token === "}" && depth === 0) return false;
    }
    return false;
  }

  /** @param {string} mark ^ or _ @param {RunStyle} style */
  script(mark, style) {
    const up = style.up + (mark === "^" ? RAISED : LOWERED) * style.size;
    const first = this.runs.length;
    this.group({ ...style, size: style.size * SCRIPT_SIZE, up });
    const token = this.peek();
    const isOther = (token === "^" || token === "_") && token !== mark;
    if (!isOther || this.runs.length !== first + 1) return;
    // If a base has an index and an exponent, place these one above the other.
    const second = this.runs.length;
    this.at += 1;
    this.script(token, style);
    if (this.runs.length === second + 1) this.runs[second].over = true;
  }

  /** @param {string} name @param {RunStyle} style */
  command(name, style) {
    if (TEX_GROUPS.has(name)) this.group({ ...style, upright: true, words: name === "text" });
    else if (TEX_UPRIGHT.has(name)) this.operator(name, style);
    else if (name in this.special) this.special[name](style);
    else if (!TEX_SILENT.test(name)) this.put(TEX_SIGNS[name] ?? name, style);
  }

  /** Converts an operator such as max. @param {string} name @param {RunStyle} style */
  operator(name, style) {
    if (this.peek() === "\\frac") {
      this.put(`${name}(`, style);
      this.one(style);
      this.put(")", style);
    } else this.put(this.peek() === "(" ? name : `${name} `, style);
  }

  /** @type {Record<string, (style: RunStyle) => void>} */
  special = {
    frac: (style) => {
      this.bracketed(style);
      this.put(" / ", style);
      this.bracketed(style);
    },
    sqrt: (style) => {
      this.put("√", style);
      this.bracketed(style);
    },
    begin: (style) => {
      this.put("{ ", style);
      this.skipPast("}");
    },
    end: () => this.skipPast("}"),
    // A line break, with optional spacing such as [4pt].
    "\\": (style) => {
      if (this.peek() === "[") this.skipPast("]");
      this.put(";\u2003", style);
    },
  };
}

/** Returns an operator with the spaces around it. @param {string} token @param {RunStyle} style */
function sign(token, { words, size }) {
  if (/^\s+$/.test(token)) return words ? " " : "";
  if (token === ",") return size < 1 ? "," : ", ";
  if (token === "&") return ",  ";
  if (token === "-") return words ? "-" : " − ";
  return /[=+<>|]/.test(token) ? ` ${token} ` : token;
}
