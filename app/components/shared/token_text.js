/** Returns a token with visible signs for spaces and for an empty token. @param {string} token */
export const tokenText = (token) => token.replaceAll(" ", "␣") || "∅";
