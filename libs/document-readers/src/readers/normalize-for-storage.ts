// eslint-disable-next-line no-control-regex -- removes control characters, because databases can reject NUL
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;
/** Matches invisible characters that would split words for a search: soft hyphen, word joiner, byte order mark. */
const INVISIBLE = /[\u00ad\u2060\ufeff]/g;
/** Lists scripts without spaces between words. In their texts, a zero-width space separates two words. */
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/**
 * Matches zero-width spaces. If a zero-width space separates words, the group contains the letter before it and the
 * space, which are kept. In scripts with spaces between words, a zero-width space only allows a line break inside a
 * word.
 */
const ZERO_WIDTH_SPACES = new RegExp(String.raw`([${UNSPACED}]\u200b)\u200b*(?=[${UNSPACED}])|\u200b+`, 'gu');

/** Normalizes text for storage: well-formed Unicode, `\n` as line end, no control characters, no trailing spaces. */
export function normalizeForStorage(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u0085|\u2028|\u2029/g, '\n')
    .replace(CONTROL, '')
    .replace(INVISIBLE, '')
    .replace(ZERO_WIDTH_SPACES, '$1')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd();
}
