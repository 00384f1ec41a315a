/** Opens a page that is connected to a server. */

import { mathematics } from "../../components/shared/katex.js";
import { fromAddresses } from "../../transport/port/classes.js";
import { script } from "../../transport/port/script.js";
import { Shell } from "../../transport/port/shell.js";
import { Connection } from "./connection.js";
import { inOrder } from "./in_order.js";

/**
 * @import {Opened} from "./connection.js"
 *
 * @typedef {object} Site URLs of the page's parts, relative to this module
 * @property {Record<string, string>} components URL of the module of each class
 * @property {string} bokeh
 */

/** @param {Site} site @param {Opened} opened */
export function open(site, opened) {
  const loaded = fromAddresses((name) => here(site.components[name]), mathematics());
  /**
   * If a file fails to load, the page shows a notice, and the returned promise stays pending.
   * @template Found @param {Promise<Found>} coming @returns {Promise<Found>}
   */
  const needed = (coming) =>
    coming.catch((error) => {
      console.warn(error);
      connection.incomplete();
      return new Promise(() => {});
    });
  const shell = new Shell({
    load: (name) => needed(loaded(name)),
    region: (name) => document.querySelector(`[data-region="${name}"]`),
    loadBokeh: () => needed(script(here(site.bokeh))),
    post: (packet) => connection.post(packet),
  });
  const connection = new Connection(
    opened,
    inOrder((text, buffers) => shell.receive(text, buffers)),
  );
}

/** @param {string} path relative to this module */
const here = (path) => new URL(path, import.meta.url).href;
