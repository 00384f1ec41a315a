/**
 * Names the tokens of the model in sentences, which are written for models of words: see
 * explain/units.py.
 */

const WORD = /“[^”]*”|\b([Ww])ord(?=s?\b)/g; // quoted text is left as it is

/** Returns a sentence with the name of the model's tokens. @param {string} sentence */
export function inUnits(sentence) {
  const unit = globalThis.document?.documentElement?.dataset?.unit ?? "word";
  if (unit === "word") return sentence;
  return sentence.replace(WORD, (all, first) => {
    if (!first) return all;
    return first === "W" ? unit[0].toUpperCase() + unit.slice(1) : unit;
  });
}
