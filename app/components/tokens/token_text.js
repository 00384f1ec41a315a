/** What is typed into a chip as tokens, and tokens as they are written and said. */

/**
 * Words typed or pasted into one chip. Blanks between angle brackets do not part: `<a b>` is one
 * token.
 * @param {string} text
 * @returns {{done: string[], open: string}} words that are finished, and the one still being typed
 */
export function splitWords(text) {
  const whole = text.replace(/<[a-z/!][^>]*>?/gi, (tag) => tag.replace(/\s/g, "\0"));
  const words = whole.split(/\s+/).map((word) => word.replaceAll("\0", " "));
  const open = words.pop() ?? "";
  return { done: words.filter((word) => word !== ""), open };
}

/**
 * Characters typed or pasted into one chip: each is a token of its own, and so is `<pad>`, which
 * may still be under way.
 * @param {string} text
 * @param {string[]} known names such as `<pad>` are among them
 * @returns {{done: string[], open: string}}
 */
export function splitCharacters(text, known) {
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

/**
 * @param {string[]} tokens @param {number} at
 * @param {string[]} words what stands there instead @param {number} [removed] so many before
 */
export function spliced(tokens, at, words, removed = 1) {
  return [...tokens.slice(0, at), ...words, ...tokens.slice(at + removed)];
}

/**
 * The list with one token in another place.
 * @param {string[]} tokens @param {number} from @param {number} to
 */
export function moved(tokens, from, to) {
  const rest = spliced(tokens, from, []);
  return spliced(rest, to, [tokens[from]], 0);
}

/**
 * How a token is written on its chip: nothing and blanks have to be seen too.
 * @param {string} token
 */
export function tokenText(token) {
  if (token === "") return "∅";
  return token.replaceAll(" ", "␣");
}

// Scripts from right to left, and the marks that turn what stands around them.
const TURNING = /[\p{Script=Hebrew}\p{Script=Arabic}\u200f\u202a-\u202e\u2066-\u2069]/u;

/** How a token is said; one that runs from right to left turns nothing. @param {string} token */
export function tokenName(token) {
  if (token === " ") return "space";
  if (token === "") return "empty token";
  return TURNING.test(token) ? `\u2068${token.replaceAll("\u2069", "")}\u2069` : token;
}

/** `<sos>`, `<eos>`, `<pad>` … @param {string} token */
export function isSpecial(token) {
  return /^<[a-z]+>$/.test(token);
}
