/** Copies a text to the clipboard. Returns false if the browser refuses, as it may for pages without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Pages without HTTPS have no `navigator.clipboard`, although its type is not optional.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/**
 * Copies a text with the deprecated `document.execCommand`, the only way for pages over plain HTTP. Returns false if
 * the browser refuses.
 */
function copySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  const focused = document.activeElement;
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
