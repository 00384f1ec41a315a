/** Runs the page in an iframe, connected to Python through a port of the surrounding page. */

import { fromTexts } from "../../transport/port/classes.js";
import { Shell } from "../../transport/port/shell.js";

/**
 * Messages that arrive through the port.
 * @typedef {["say", string, ArrayBuffer[]] | ["bokeh", string] | ["theme", string, boolean]} ToPage
 */

/**
 * Applies the color scheme of the surrounding page. The user's stored choice has priority, unless a
 * program requested the scheme.
 * @param {string} theme @param {boolean} isWished whether a program requested the scheme
 */
function wear(theme, isWished) {
  if (theme !== "light" && theme !== "dark") return;
  try {
    if (!isWished && localStorage.getItem("tinkerformer-theme")) return;
  } catch {
    /* storage denied: there is no stored choice */
  }
  if (document.documentElement.dataset.theme === theme) return;
  isWorn = true;
  document.documentElement.dataset.theme = theme;
  document.dispatchEvent(new CustomEvent("tinkerformer:theme", { detail: { theme } }));
  isWorn = false;
}

let isWorn = false; // whether the surrounding page caused the current change of the theme

/** @param {MessagePort} port */
function connect(port) {
  /** @type {(text: string) => void} */
  let runBokeh = () => {};
  const loadBokeh = () =>
    /** @type {Promise<void>} */ (
      new Promise((done) => {
        runBokeh = (text) => {
          const script = document.createElement("script");
          script.textContent = text;
          document.head.append(script);
          done();
        };
        port.postMessage(["want-bokeh"]);
      })
    );
  const shell = new Shell({
    load: fromTexts(),
    region: (name) => document.querySelector(`[data-region="${name}"]`),
    loadBokeh,
    post: ({ text, buffers }) => port.postMessage(["say", text, buffers]),
  });
  port.onmessage = ({ data }) => {
    const said = /** @type {ToPage} */ (data);
    if (said[0] === "say") shell.receive(said[1], said[2]);
    else if (said[0] === "theme") wear(said[1], said[2]);
    else runBokeh(said[1]);
  };
  document.addEventListener("tinkerformer:theme", (event) => {
    const { theme } = /** @type {CustomEvent<{theme: string}>} */ (event).detail;
    if (!isWorn) port.postMessage(["theme", theme]); // the user's choice
  });
  document.addEventListener("tinkerformer:ready", () => port.postMessage(["alive"]));
  port.postMessage(["begin"]);
}

/** Requests the port, and starts the page when the port arrives. */
export function begin() {
  addEventListener("message", ({ source, data, ports }) => {
    if (source !== parent || data?.tinkerformer !== "port" || ports.length !== 1) return;
    wear(data.worn, data.isWished);
    connect(ports[0]);
  });
  // The surrounding page may have any origin, and the message contains nothing private.
  parent.postMessage({ tinkerformer: "wants-port" }, "*");
}
