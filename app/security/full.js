/**
 * In the place of the script of a page, where all places are taken: says so, and asks again.
 *
 * @param {string} name id of the element that the page was to follow
 * @param {string} sentence
 * @param {string} source address of the script
 * @param {number} seconds until it is asked for again, and up to as many more
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
