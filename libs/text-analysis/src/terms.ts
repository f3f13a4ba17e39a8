import { fold } from './fold.js';
import { runsOf, type Run } from './runs.js';

/** In UTF-16 code units. A longer word (a digest, encoded data) is compared by its beginning. */
export const MAX_TERM_LENGTH = 64;

/** A longer question is read up to here: what it asks was said by then, and each further term costs time in every store. */
const MAX_QUERY_TERMS = 1_000;

/**
 * What the terms of a text depend on, beside the text. Raised when `termsOf` gives other terms than before: what was
 * indexed with another version is to be indexed again.
 */
export const ANALYSIS_VERSION = 1;

const dictionary = new Intl.Segmenter('und', { granularity: 'word' });
const SPACE_IN_NAME = /[/:@&=+#?%~]+/;
const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/u;
const APOSTROPHES = /['’]/g;
const HANGUL = /^[\p{Script=Hangul}]{3,}$/u;
const CUT_PAIR = /[\ud800-\udbff]$/;

/**
 * The terms by which lexical search compares texts, in the order they stand, repeats included; never white space in a
 * term, never longer than `MAX_TERM_LENGTH`. The same function serves documents and questions, in every fragment store.
 *
 * - Words are in lower case and without accents.
 * - A name that is written in one (`user@example.com`, `SKU-12/b`, `1.2.3`) is a term, and so is each of its parts.
 * - Chinese and Japanese give every character and every pair of neighbours, so that a part of a word finds it; Korean
 *   words also their pairs; Thai, Lao, Khmer and Burmese the words of a dictionary.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const run of runsOf(fold(text))) for (const term of TERMS_OF_RUN[run.kind](run.text)) terms.push(bounded(term));
  return terms;
}

/** The terms of a question: the first thousand, so that its length is bounded whatever is asked. */
export function termsOfQuery(text: string): string[] {
  return termsOf(text).slice(0, MAX_QUERY_TERMS);
}

/** How often each term stands among `terms`. */
export function termCounts(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

const TERMS_OF_RUN: Readonly<Record<Run['kind'], (text: string) => readonly string[]>> = {
  spaced: termsOfSpaced,
  ideographic: termsOfIdeographic,
  unspaced: (text) => Array.from(dictionary.segment(text), ({ segment }) => segment),
};

function termsOfSpaced(run: string): readonly string[] {
  const words = run.split(NOT_WORD).filter((word) => word !== '');
  const [only] = words;
  if (words.length === 1 && only === run) return HANGUL.test(run) ? [run, ...pairs(run)] : words;
  const sections = run.split(SPACE_IN_NAME).filter((section) => section !== '');
  const names = new Set([run, ...sections].map((name) => name.replace(APOSTROPHES, '')));
  return [...words, ...[...names].filter((name) => name.length <= MAX_TERM_LENGTH && !words.includes(name))];
}

function termsOfIdeographic(run: string): readonly string[] {
  return [...Array.from(run), ...pairs(run)];
}

function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

function bounded(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  return term.slice(0, MAX_TERM_LENGTH).replace(CUT_PAIR, '');
}
