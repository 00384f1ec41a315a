/** Converts typed text to tokens, and tokens to displayed and spoken text. */

import { classes } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";

/** @import {Marks, TokenList} from "./types.js" */

/**
 * Returns the classes of the marks of a word, see `theme.py`.
 * @param {Marks} marks of its list @param {number} at its position
 */
export const markOf = ({ focus, followed, asked }, at) =>
  classes(at === focus && (followed ? "focus" : "looked-at"), at === asked && "asked");

/**
 * Splits text that was typed or pasted into a chip into words. Spaces between angle brackets do not
 * split: `<a b>` is one token.
 * @param {string} text
 * @returns {{done: string[], open: string}} finished words, and the word still being typed
 */
function splitWords(text) {
  const whole = text.replace(/<[a-z/!][^>]*>?/gi, (tag) => tag.replace(/\s/g, "\0"));
  const words = whole.split(/\s+/).map((word) => word.replaceAll("\0", " "));
  const open = words.pop() ?? "";
  return { done: words.filter((word) => word !== ""), open };
}

/**
 * Splits text that was typed or pasted into a chip into characters. A name such as `<pad>` is one
 * token, and may still be incomplete.
 * @param {string} text
 * @param {string[]} known tokens, including names such as `<pad>`
 * @returns {{done: string[], open: string}}
 */
function splitCharacters(text, known) {
  const names = known.filter((token) => token.length > 1);
  const tokens = [];
  for (let rest = text; rest; ) {
    const name =
      names.find((each) => rest.startsWith(each)) ??
      (names.some((each) => each.startsWith(rest)) ? rest : [...rest][0]);
    tokens.push(name);
    rest = rest.slice(name.length);
  }
  const open = tokens.pop() ?? "";
  return { done: tokens, open };
}

/** Splits into words or characters. @param {string} text @param {TokenList} list */
export const splitTyped = (text, { unit, known }) =>
  unit === "character" ? splitCharacters(text, known) : splitWords(text);

/**
 * Returns the list with the typed text in place.
 * @param {string[]} tokens @param {{at: number, text: string}} typed @param {TokenList} list
 */
export function typedTokens(tokens, { at, text }, list) {
  // Keep an unchanged token as it is.
  if (text === tokens[at]) return tokens;
  const { done, open } = splitTyped(text, list);
  return spliced(tokens, at, open === "" ? done : [...done, open]);
}

/**
 * Returns whether a list is within the limits. Python checks it again, and writes the error.
 * @param {string[]} tokens @param {TokenList} list
 */
export const fits = (tokens, { limit, longest, known }) =>
  tokens.length <= limit &&
  tokens.every((token) => token.length <= longest) &&
  (known.length === 0 || tokens.every((token) => known.includes(token)));

/**
 * @template Item @param {Item[]} tokens @param {number} at
 * @param {Item[]} words the replacement @param {number} [removed] the number of replaced tokens
 */
export function spliced(tokens, at, words, removed = 1) {
  return [...tokens.slice(0, at), ...words, ...tokens.slice(at + removed)];
}

/**
 * Returns the list with one item moved.
 * @template Item @param {Item[]} tokens @param {number} from @param {number} to
 */
export function moved(tokens, from, to) {
  const rest = spliced(tokens, from, []);
  return spliced(rest, to, [tokens[from]], 0);
}

// Right-to-left scripts, and characters that control text direction.
const TURNING = /[\p{Script=Hebrew}\p{Script=Arabic}\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Returns a token for screen readers; right-to-left text is isolated. @param {string} token */
export function tokenName(token) {
  if (token === " ") return "space";
  if (token === "") return "empty token";
  return TURNING.test(token) ? `\u2068${token.replaceAll("\u2069", "")}\u2069` : token;
}

/** Returns whether a token is special, such as `<sos>` or `<pad>`. @param {string} token */
export function isSpecial(token) {
  return /^<[a-z]+>$/.test(token);
}

/**
 * Returns the typed words that a model has not learned. The last word, which may be unfinished, is
 * included if no learned word contains it.
 * @param {{done: string[], open: string}} typed @param {string[]} learned
 */
export function unlearnedWords({ done, open }, learned) {
  const part = open.toLowerCase();
  const isBegun = learned.some((word) => tokenText(word).toLowerCase().includes(part));
  return [...done.filter((word) => !learned.includes(word)), ...(isBegun ? [] : [open])];
}

/**
 * Returns a sentence about how a model handles words that it has not learned.
 * @param {string[]} words at least one
 * @param {boolean} [isClosed] whether the model accepts only words that it has learned
 */
export function unknownSentence(words, isClosed = false) {
  const names = words.map((word) => `“${tokenName(word)}”`);
  const all = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  if (isClosed)
    return `${all}: this model does not know ${words.length === 1 ? "this word" : "these words"}.`;
  return words.length === 1
    ? `${all}: the model has never seen this word. Its row of numbers is random, untrained.`
    : `${all}: the model has never seen these words. Their rows of numbers are random, untrained.`;
}
