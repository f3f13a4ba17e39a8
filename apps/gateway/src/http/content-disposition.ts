/** Characters that a quoted string may contain without escapes, except `%`, which some browsers decode. */
const UNSAFE_IN_QUOTES = /[^\x20-\x7e]|["\\%]/gu;
/** Characters that `encodeURIComponent` keeps and RFC 8187 does not allow. */
const KEPT = /['()*!]/g;

/**
 * Formats the header `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and the exact name
 * (RFC 8187).
 */
export function formatAttachment(fileName: string): string {
  const name = fileName.toWellFormed();
  const exact = encodeURIComponent(name).replaceAll(
    KEPT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${name.replaceAll(UNSAFE_IN_QUOTES, '_')}"; filename*=UTF-8''${exact}`;
}
