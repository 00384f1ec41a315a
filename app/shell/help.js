/** Opens the help. */

import { watchDialog } from "../components/shared/announce.js";
import { find } from "./find.js";

export function listenToHelp() {
  const help = /** @type {HTMLDialogElement} */ (find("#help"));
  watchDialog(help);
  find("#help-button").addEventListener("click", () => {
    if (!help.open) help.showModal();
  });
}
