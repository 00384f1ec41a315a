/** Loads a classic script into the page. @param {string} url @returns {Promise<unknown>} */
export const script = (url) =>
  new Promise((done, fail) => {
    const element = document.createElement("script");
    element.src = url;
    element.onload = done;
    element.onerror = () => fail(new Error(`${url} did not come`));
    document.head.append(element);
  });
