const PARAGRAPHS = 60_000;

/** Large enough that a kill meets its ingestion half done; with words that its last paragraph alone has. */
export function longText(): { readonly text: string; readonly last: string } {
  const stones = Array.from({ length: PARAGRAPHS }, (_, index) => `stone number ${index * 7}`);
  const paragraphs = stones.map((stone, index) => `Paragraph ${index} tells of ${stone}.`);
  return { text: paragraphs.join('\n\n'), last: stones.at(-1) ?? '' };
}
