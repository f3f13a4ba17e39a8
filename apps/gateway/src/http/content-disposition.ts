/** Matches the characters that need an escape in a quoted string, and `%`, which some browsers decode. */
const UNSAFE_IN_QUOTES = /[^\x20-\x7e]|["\\%]/gu;
/** Matches the characters that `encodeURIComponent` does not escape, although RFC 8187 does not allow them. */
const UNESCAPED = /['()*!]/g;

/**
 * Formats the header `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and the exact
 * name (RFC 8187).
 */
export function formatContentDisposition(fileName: string): string {
  const name = fileName.toWellFormed();
  const exact = encodeURIComponent(name).replaceAll(
    UNESCAPED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${name.replaceAll(UNSAFE_IN_QUOTES, '_')}"; filename*=UTF-8''${exact}`;
}
