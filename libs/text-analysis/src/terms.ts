const words = new Intl.Segmenter('und', { granularity: 'word' });
const MAX_TERM_LENGTH = 64;

/**
 * The terms by which lexical search compares texts: words in lower case without accents, in the order they stand, repeats
 * included. The same function serves documents and questions, in every fragment store.
 */
export function termsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return [...words.segment(folded)]
    .filter((segment) => segment.isWordLike)
    .map((segment) => segment.segment.slice(0, MAX_TERM_LENGTH));
}
