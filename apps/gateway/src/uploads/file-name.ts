/** Maximum length of a file name, in characters. */
const MAX_LENGTH = 200;
const FALLBACK = 'file';

/**
 * Removes folders, control characters and text direction overrides from a file name, and shortens it. The result is safe to show
 * and to store.
 */
export function cleanFileName(given: string): string {
  const name = given.normalize('NFC').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, '');
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.*$/.test(last) ? FALLBACK : shorten(last);
}

/** Shortens a name before its extension, which shows the type of the file. */
function shorten(name: string): string {
  const whole = name.toWellFormed();
  if (whole.length <= MAX_LENGTH) return whole;
  const extension = /\.[^.]{1,16}$/.exec(whole)?.[0] ?? '';
  return whole.slice(0, MAX_LENGTH - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}
