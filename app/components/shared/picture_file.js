/** Saves the visible picture of the model as a file. */

import { asPng, save } from "./files.js";

const NAME = "tinkerformer-picture.png";

export const NO_PICTURE = "Open Picture, or Train: then all of it can be saved as you see it.";

/** Returns whether there is a picture to save. */
export const hasPicture = () => Boolean(window.tinkerformer?.look());

/** @returns {Promise<string>} a sentence on the saved file @throws {Error} if no picture is open */
export async function savePicture() {
  const sight = window.tinkerformer?.motion.composition(true);
  if (!sight) throw new Error(NO_PICTURE);
  sight.paint();
  save(NAME, await asPng(sight.canvas));
  return `Saved ${NAME}.`;
}
