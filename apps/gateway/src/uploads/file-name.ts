/** Longest file name, in characters. */
const MAX_LENGTH = 200;
const FALLBACK = 'file';

/** A name that is safe to show and to keep: without folders, control characters and direction overrides, and not too long. */
export function cleanFileName(given: string): string {
  const name = given.normalize('NFC').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, '');
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.*$/.test(last) ? FALLBACK : shorten(last);
}

/** The end stays: it says what the file is. */
function shorten(name: string): string {
  const whole = name.toWellFormed();
  if (whole.length <= MAX_LENGTH) return whole;
  const extension = /\.[^.]{1,16}$/.exec(whole)?.[0] ?? '';
  return whole.slice(0, MAX_LENGTH - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}
