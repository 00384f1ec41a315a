/** Keys that work anywhere on the page: Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo; in a text field they are its own. */

export class Keys {
  /** @param {Board} board */
  constructor(board) {
    this.listener = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || Keys.inText(event)) return;
      const key = event.key.toLowerCase();
      const what = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : null;
      if (!what) return;
      event.preventDefault();
      board.send({ type: what });
    };
    document.addEventListener("keydown", this.listener);
  }

  static inText(event) {
    const target = event.composedPath()[0];
    return (
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && target.type === "text")
    );
  }

  remove() {
    document.removeEventListener("keydown", this.listener);
  }
}
