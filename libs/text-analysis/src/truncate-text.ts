/**
 * Returns the beginning of a text, without half of a surrogate pair at its end. The database refuses such a half.
 *
 * @param maxLength maximum length of the result, in UTF-16 code units
 */
export function truncateText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}
