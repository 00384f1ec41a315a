/** The page that a server is behind. */

import { fromAddresses } from "../../components/carriers/port/classes.js";
import { script } from "../../components/carriers/port/script.js";
import { Shell } from "../../components/carriers/port/shell.js";
import { mathematics } from "../../components/shared/katex.js";
import { Connection } from "./connection.js";
import { inOrder } from "./in_order.js";

/**
 * @import {Opened} from "./connection.js"
 *
 * @typedef {object} Site addresses of its parts, beside this module
 * @property {Record<string, string>} components modules, by the names of the classes
 * @property {string} bokeh
 */

/** @param {Site} site @param {Opened} opened */
export function open(site, opened) {
  const loaded = fromAddresses((name) => here(site.components[name]), mathematics());
  /**
   * What does not come is waited for in vain, and that is said.
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
    post: (packet) => connection.say(packet),
  });
  const connection = new Connection(
    opened,
    inOrder((text, buffers) => shell.receive(text, buffers)),
  );
}

/** @param {string} path beside this module */
const here = (path) => new URL(path, import.meta.url).href;
