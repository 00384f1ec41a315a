/** Shows a status line until Python is ready. */

const STARTING =
  "Python is starting. Look around: your changes take effect as soon as it is ready.";
const LOADING = "Python is starting.";
export const TOUCH = "Touch the picture to begin.";
export const AGAIN = "Python has stopped. It starts again and keeps your work.";
export const NONE = "This browser has no WebAssembly, so no number can be changed here.";
export const UNREACHED =
  "Python could not be loaded, so no number can be changed. The page tries again when you are " +
  "online.";
export const SILENT = "Python has not answered for a while: what it computes may be too large.";
const START_AGAIN = "Start Python again";

export class Progress {
  /** @param {() => void} startAgain restarts Python; offered when Python does not answer */
  constructor(startAgain) {
    this.el = document.createElement("div");
    this.el.className = "starting";
    this.sentence = document.createElement("p");
    this.sentence.setAttribute("role", "status");
    this.button = document.createElement("button");
    this.button.textContent = START_AGAIN;
    this.button.onclick = startAgain;
    this.el.append(this.sentence, this.button);
    this.say("");
    document.body.append(this.el);
  }

  /** @param {string} sentence @param {boolean} [offers] whether to offer a restart */
  say(sentence, offers = false) {
    this.sentence.textContent = sentence;
    this.button.hidden = !offers;
    this.el.hidden = sentence === "";
  }

  /** @param {boolean} hasPicture whether the first paint is on the page already */
  starting(hasPicture) {
    this.say(hasPicture ? STARTING : LOADING);
  }
}
