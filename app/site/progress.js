/** One sentence, as long as Python is not there. */

const STARTING = "Python is starting. Look around: what you do is done as soon as it is there.";
const LOADING = "Python is starting.";
const TOUCH = "Touch the picture to begin.";
const AGAIN = "Python has stopped, and starts again with all that you did.";
const NONE = "This browser has no WebAssembly, so no number can be changed here.";
const UNREACHED =
  "Python could not be loaded, so no number can be changed. It is tried again when you are online.";

export class Progress {
  constructor() {
    this.el = document.createElement("p");
    this.el.className = "starting";
    this.el.setAttribute("role", "status");
    document.body.append(this.el);
  }

  /** @param {string} sentence */
  say(sentence) {
    this.el.textContent = sentence;
    this.el.hidden = sentence === "";
  }

  /** @param {boolean} hasPicture whether numbers are on the page already */
  starting(hasPicture) {
    this.say(hasPicture ? STARTING : LOADING);
  }

  waiting() {
    this.say(TOUCH);
  }

  again() {
    this.say(AGAIN);
  }

  impossible() {
    this.say(NONE);
  }

  unreached() {
    this.say(UNREACHED);
  }

  done() {
    this.say("");
  }
}
