const SENTENCES = new Intl.Segmenter('und', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });
const CHARACTERS = new Intl.Segmenter('und', { granularity: 'grapheme' });

/*
 * Each function cuts a text into parts whose concatenation is the text. White space between two parts belongs to the second,
 * so that a tokenizer counts ` word` as it does inside the sentence.
 */

export function sentencesOf(text: string): readonly string[] {
  return sliceAt(text, segmentStarts(SENTENCES, text));
}

export function wordsOf(text: string): readonly string[] {
  return sliceAt(text, segmentStarts(WORDS, text));
}

/** Cuts at grapheme clusters. A code point is never cut. */
export function charactersOf(text: string): readonly string[] {
  return [...CHARACTERS.segment(text)].map((segment) => segment.segment);
}

export function linesOf(text: string): readonly string[] {
  return sliceAt(text, matchStarts(/\n/g, text));
}

const ITEM = /\n(?=(?:[-*+•‣▪◦–·]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s)/g;

/** Cuts a list into its outermost items, each with its nested items. */
export function itemsOf(text: string): readonly string[] {
  return sliceAt(text, matchStarts(ITEM, text));
}

function segmentStarts(segmenter: Intl.Segmenter, text: string): number[] {
  return [...segmenter.segment(text)].map((segment) => segment.index);
}

function matchStarts(pattern: RegExp, text: string): number[] {
  return [...text.matchAll(pattern)].map((match) => match.index);
}

/** Cuts `text` at each start. A cut moves to the beginning of the white space before it. */
function sliceAt(text: string, starts: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const start of starts) {
    const cut = skipSpaceBefore(text, start);
    if (cut > from) {
      parts.push(text.slice(from, cut));
      from = cut;
    }
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function skipSpaceBefore(text: string, index: number): number {
  let cut = index;
  while (cut > 0 && /\s/.test(text.charAt(cut - 1))) cut -= 1;
  return cut;
}
