/**
 * Formats a number with an English noun, such as `1 document` or `2 documents`.
 *
 * @param noun a singular whose plural has an additional “s”
 */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
