// eslint-disable-next-line no-control-regex -- removes control characters, because databases can reject NUL
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;
/**
 * Matches invisible characters that would split words for a search: soft hyphen, zero-width space, word joiner, byte
 * order mark.
 */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** Normalizes text for storage: well-formed Unicode, `\n` as line end, no control characters, no trailing spaces. */
export function normalizeForStorage(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u0085|\u2028|\u2029/g, '\n')
    .replace(CONTROL, '')
    .replace(INVISIBLE, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd();
}
