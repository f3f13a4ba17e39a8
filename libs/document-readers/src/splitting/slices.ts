const SENTENCES = new Intl.Segmenter('und', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });
const CHARACTERS = new Intl.Segmenter('und', { granularity: 'grapheme' });

/*
 * Each function cuts a text into parts that make up the text again when they are joined. White space between two parts
 * begins the second: a tokenizer counts ` word` as it does inside the sentence.
 */

export function sentencesOf(text: string): readonly string[] {
  return slices(text, segmentStarts(SENTENCES, text));
}

export function wordsOf(text: string): readonly string[] {
  return slices(text, segmentStarts(WORDS, text));
}

/** What a person sees as one character can be many code points; a code point is never cut. */
export function charactersOf(text: string): readonly string[] {
  return [...CHARACTERS.segment(text)].map((segment) => segment.segment);
}

export function linesOf(text: string): readonly string[] {
  return slices(text, matchStarts(/\n/g, text));
}

const ITEM = /\n(?=(?:[-*+•‣▪◦–·]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s)/g;

/** The outermost items of a list, each with what is indented below it. */
export function itemsOf(text: string): readonly string[] {
  return slices(text, matchStarts(ITEM, text));
}

function segmentStarts(segmenter: Intl.Segmenter, text: string): number[] {
  return [...segmenter.segment(text)].map((segment) => segment.index);
}

function matchStarts(pattern: RegExp, text: string): number[] {
  return [...text.matchAll(pattern)].map((match) => match.index);
}

/** Cuts `text` at each start, moved back over the white space before it. */
function slices(text: string, starts: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const start of starts) {
    const cut = beforeSpace(text, start);
    if (cut > from) {
      parts.push(text.slice(from, cut));
      from = cut;
    }
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function beforeSpace(text: string, index: number): number {
  let cut = index;
  while (cut > 0 && /\s/.test(text.charAt(cut - 1))) cut -= 1;
  return cut;
}
