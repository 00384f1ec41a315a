/** Starts the features of the page that need no components. */

import { listenToColorScheme } from "./color_scheme.js";
import { listenToDrawer } from "./drawer.js";
import { explainFileAddress } from "./file.js";
import { fitHeader } from "./fit.js";
import { listenToHelp } from "./help.js";
import { listKeys } from "./keys.js";
import { showMark } from "./mark.js";
import { listenToPanels } from "./panels.js";
import { connectParent } from "./parent.js";
import { fitPaper } from "./print.js";

export function begin() {
  explainFileAddress();
  // Remove the placeholder once the page shows numbers.
  const skeleton = document.querySelector(".skeleton");
  document.addEventListener("tinkerformer:ready", () => skeleton?.remove(), { once: true });
  listenToColorScheme();
  listenToHelp();
  listKeys();
  listenToPanels();
  listenToDrawer();
  fitHeader();
  showMark();
  connectParent();
  fitPaper();
}
