/**
 * When the server goes away the page says so, waits for it, and starts again with all that the user
 * did: the board keeps the session in this tab and hands it to whichever server answers.
 */
(() => {
  const Native = window.WebSocket;
  let leaving = false;
  let lost = false;
  addEventListener("pagehide", () => {
    leaving = true;
  });

  // Bokeh opens the socket and offers no word of its loss that comes in time; the socket itself
  // does.
  window.WebSocket = class extends Native {
    /** @param {ConstructorParameters<typeof WebSocket>} args */
    constructor(...args) {
      super(...args);
      this.addEventListener("close", () => {
        if (!leaving) whenLost();
      });
    }
  };

  function whenLost() {
    if (lost) return;
    lost = true;
    const banner = document.createElement("p");
    banner.className = "lost";
    banner.setAttribute("role", "alert");
    banner.textContent =
      "The server is not answering. The page goes on as soon as it does; nothing you did is lost.";
    document.body.prepend(banner);
    document.querySelector(".columns")?.setAttribute("inert", "");
    ask();
  }

  async function ask() {
    try {
      const answer = await fetch(location.pathname, { method: "GET", cache: "no-store" });
      if (answer.ok) {
        leaving = true;
        location.reload();
        return;
      }
    } catch {
      /* not yet */
    }
    setTimeout(ask, 1000);
  }
})();
