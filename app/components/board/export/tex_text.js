/**
 * TeX as runs of text, for pictures that have to be read without KaTeX. It knows what the formulas
 * of the page use; anything else comes out as its name.
 */

/**
 * @typedef {object} Run
 * @property {string} text
 * @property {number} up ems above the line
 * @property {number} size of the line's
 * @property {boolean} italic
 * @property {boolean} [over] stands above the run before, not after it
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
  " ": " ",
  "!": "",
  "{": "{",
  "}": "}",
  "|": "‖",
  left: "",
  right: "",
  middle: "",
  displaystyle: "",
  textstyle: "",
  scriptstyle: "",
  big: "",
  Big: "",
  bigl: "",
  bigr: "",
  limits: "",
};
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

/** @param {string} tex @returns {Run[]} */
export function texRuns(tex) {
  const tokens = [...(tex.match(/\\[a-zA-Z]+|\\.|[{}^_]|\s+|[^\\{}^_\s]/gu) ?? [])];
  let at = 0;
  const runs = /** @type {Run[]} */ ([]);

  /** @param {string} text @param {RunStyle} style @param {boolean} [italic] */
  const put = (text, style, italic = false) => {
    const last = runs.at(-1);
    if (!text) return;
    if (last && last.up === style.up && last.size === style.size && last.italic === italic)
      last.text += text;
    else runs.push({ text, up: style.up, size: style.size, italic });
  };
  /** One group in braces, or one sign. @param {RunStyle} style */
  const group = (style) => {
    while (/^\s+$/.test(tokens[at] ?? "")) at += 1;
    if (tokens[at] !== "{") {
      one(style);
      return;
    }
    at += 1;
    while (at < tokens.length && tokens[at] !== "}") one(style);
    at += 1;
  };
  /** Whether the group that follows has to be held together where a line or a root no longer does it. */
  const isSum = () => {
    let depth = 0;
    for (let k = at; k < tokens.length; k++) {
      if (tokens[k] === "{") depth += 1;
      else if (tokens[k] === "}" && --depth === 0) return false;
      else if (depth === 1 && /^([-+/]|\\cdot|\\times)$/.test(tokens[k])) return true;
    }
    return false;
  };
  /** @param {RunStyle} style */
  const bracketed = (style) => {
    const brackets = isSum();
    if (brackets) put("(", style);
    group(style);
    if (brackets) put(")", style);
  };
  /** @param {string} sign @param {RunStyle} style */
  const script = (sign, style) => {
    const size = style.size * 0.72;
    const mark = runs.length;
    group({ ...style, size, up: style.up + (sign === "^" ? 0.38 : -0.18) * style.size });
    // An index and an exponent of the same letter stand over one another.
    if (
      (tokens[at] !== "^" && tokens[at] !== "_") ||
      tokens[at] === sign ||
      runs.length !== mark + 1
    )
      return;
    const next = runs.length;
    script(tokens[at++], style);
    if (runs.length === next + 1) runs[next].over = true;
  };
  /** @param {RunStyle} style */
  const one = (style) => {
    const token = tokens[at++];
    if (token === undefined) return;
    if (/^\s+$/.test(token)) put(style.words ? " " : "", style);
    else if (token === "^" || token === "_") script(token, style);
    else if (token === "{") {
      at -= 1;
      group(style);
    } else if (token[0] === "\\") command(token.slice(1), style);
    else if (token === ",") put(style.size < 1 ? "," : ", ", style);
    else if (token === "&") put(",  ", style);
    else if (/[=+<>|]/.test(token)) put(` ${token} `, style);
    else if (token === "-") put(style.words ? "-" : " − ", style);
    else put(token, style, !style.upright && /[a-zA-Z]/.test(token));
  };
  /** @param {string} name @param {RunStyle} style */
  const command = (name, style) => {
    if (name === "frac") {
      bracketed(style);
      put(" / ", style);
      bracketed(style);
    } else if (name === "sqrt") {
      put("√", style);
      bracketed(style);
    } else if (name === "begin" || name === "end") {
      put(name === "begin" ? "{ " : "", style);
      at += tokens.slice(at).indexOf("}") + 1;
    } else if (name === "\\") {
      // the next line, with a distance such as [4pt]
      if (tokens[at] === "[") at += tokens.slice(at).indexOf("]") + 1;
      put(";\u2003", style);
    } else if (TEX_GROUPS.has(name)) group({ ...style, upright: true, words: name === "text" });
    else if (TEX_UPRIGHT.has(name)) {
      const whole = tokens[at] === "\\frac";
      put(whole ? `${name}(` : tokens[at] === "(" ? name : `${name} `, style);
      if (whole) one(style);
      if (whole) put(")", style);
    } else put(TEX_SIGNS[name] ?? name, style);
  };

  while (at < tokens.length) one({ up: 0, size: 1, upright: false });
  return runs;
}
