/** Copies the text of a field. @param {HTMLInputElement | HTMLTextAreaElement} field */
export async function copyText(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // pages without HTTPS have no clipboard API
  }
}
