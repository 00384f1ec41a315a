/**
 * Counts the presses of a pointer, because all edits of one press are one undo step. Python groups
 * edits without a pointer.
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

  /** The number of the current press, counted from 1; 0 while no pointer is pressed. */
  get now() {
    return this.isDown ? this.count : 0;
  }
}
