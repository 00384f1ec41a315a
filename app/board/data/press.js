/**
 * Numbers the presses of a pointer: all edits of one press are one undo step. Python decides which
 * edits without a pointer belong together.
 */

export class Press {
  /**
   * @param {() => void} ended called when a press of a pointer has ended
   * @param {AbortSignal} signal removes the listeners
   */
  constructor(ended, signal) {
    this.ended = ended;
    this.count = 0;
    this.isDown = false;
    const how = { capture: true, signal };
    document.addEventListener("pointerdown", () => this.begin(), how);
    for (const type of ["pointerup", "pointercancel"])
      document.addEventListener(type, () => this.end(), how);
  }

  begin() {
    this.count += 1;
    this.isDown = true;
  }

  end() {
    this.isDown = false;
    this.ended();
  }

  /** The number of the press that makes an edit now, counted from 1; 0 without a pointer. */
  get now() {
    return this.isDown ? this.count : 0;
  }
}
