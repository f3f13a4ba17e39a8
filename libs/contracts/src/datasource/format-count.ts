/** Formats a number with an English noun, such as `1 document` or `2 documents`. @param noun forms its plural with “s” */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
