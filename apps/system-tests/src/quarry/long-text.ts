const PARAGRAPHS = 60_000;

/** Returns a text that is large enough for a kill during its ingestion. Its last paragraph contains unique words. */
export function buildLongText(): { readonly text: string; readonly last: string } {
  const stones = Array.from({ length: PARAGRAPHS }, (_, index) => `stone number ${index * 7}`);
  const paragraphs = stones.map((stone, index) => `Paragraph ${index} describes ${stone}.`);
  return { text: paragraphs.join('\n\n'), last: stones.at(-1) ?? '' };
}
