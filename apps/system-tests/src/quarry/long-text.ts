const PARAGRAPHS = 60_000;

/**
 * Returns a text whose ingestion takes long enough to be interrupted. `last` is a phrase that occurs only in its last
 * paragraph.
 */
export function buildLongText(): { readonly text: string; readonly last: string } {
  const stones = Array.from({ length: PARAGRAPHS }, (_, index) => `stone number ${index * 7}`);
  const paragraphs = stones.map((stone, index) => `Paragraph ${index} describes ${stone}.`);
  return { text: paragraphs.join('\n\n'), last: stones.at(-1) ?? '' };
}
