/** Converts formulas to words for screen readers. */

/** @type {[RegExp, string][]} */
const SPOKEN = [
  [/\\(text|mathrm|mathbf|operatorname|mathit|tilde|hat|bar)\*?/g, ""],
  [/\^\\top|\^T\b|\^\{\\top\}/g, " transposed"],
  [/\\frac\{([^{}]*)\}\{(.*)\}/g, "$1 over $2"],
  [/\\sqrt/g, "root of "],
  [/\\cdot|\\times/g, " times "],
  [/\\(left|right|,|;|!|quad|displaystyle)/g, " "],
  [/\\([a-zA-Z]+)/g, " $1 "],
  [/[{}\\]/g, ""],
  [/\s+/g, " "],
];

/** Converts TeX: W^Q_{1} → W^Q_1; \gamma → gamma. @param {string} tex */
export const spoken = (tex) =>
  SPOKEN.reduce((text, [pattern, words]) => text.replace(pattern, words), tex).trim();
