/** A token as it is displayed; empty tokens and spaces are made visible. @param {string} token */
export const tokenText = (token) => token.replaceAll(" ", "␣") || "∅";
