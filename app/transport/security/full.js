/**
 * Served in place of a page's script when the server has no free session: shows a sentence, and
 * loads the script again later.
 * @param {string} name id of the element after which the page is inserted
 * @param {string} sentence
 * @param {string} source URL of the script
 * @param {number} seconds least time before the next attempt; the actual time is random, up to
 *   twice as long
 */
export function wait(name, sentence, source, seconds) {
  const line = document.createElement("p");
  line.textContent = sentence;
  line.setAttribute("role", "status");
  document.getElementById(name)?.after(line);
  setTimeout(
    () => {
      line.remove();
      const script = document.createElement("script");
      script.src = source;
      document.body.append(script);
    },
    seconds * 1000 * (1 + Math.random()),
  );
}
