import { normalise, withoutAccents } from './fold.js';
import { ENGLISH, LANGUAGES, type Language } from './languages.js';
import { LOOKED_AT, likelyLanguages } from './likely-languages.js';
import { remembering } from './remembering.js';
import { runsOf, type Run } from './runs.js';
import { stemsOf } from './stems.js';

/** In UTF-16 code units. A longer word (a digest, encoded data) is compared by its beginning. */
export const MAX_TERM_LENGTH = 64;

/** A longer question is read up to here: what it asks was said by then, and each further term costs time in every store. */
const MAX_QUERY_TERMS = 1_000;

/** The share of a word's weight in a question that its surface form has; the rest is its stem's. Measured: decision 20. */
const SURFACE_WEIGHT = 0.25;

/** Every weight of `weightedTermsOfQuery` is a multiple of it. */
export const WEIGHT_STEP = 0.25;

/**
 * What the terms of a text depend on, beside the text. Raised when `termsOf` gives other terms than before: what was
 * indexed with another version is to be indexed again.
 */
export const ANALYSIS_VERSION = 4;

/** Japanese is told from Chinese by its kana. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['th', /\p{Script=Thai}/u],
];

const dictionary = new Intl.Segmenter('und', { granularity: 'word' });
const SPACE_IN_NAME = /[/:@&=+#?%~]+/;
const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/u;
const APOSTROPHES = /['’]/g;
const HANGUL = /^[\p{Script=Hangul}]{3,}$/u;
const CUT_PAIR = /[\ud800-\udbff]$/;

/**
 * The terms by which lexical search finds a text, in the order they stand, repeats included; never white space in a term,
 * never longer than `MAX_TERM_LENGTH`. The same function serves every fragment store.
 *
 * - Words are in lower case and without accents; after a word stands its stem in the text's language, if it has another. Where the
 *   language is not clear, its stems in all that it may be in. English counts always: names and terms are asked for in it. A word
 *   with accents stands there with them, too: in Vietnamese they tell words apart.
 * - A name that is written in one (`user@example.com`, `SKU-12/b`, `1.2.3`) is a term, and so is each of its parts.
 * - Chinese and Japanese give every character and every pair of neighbours, so that a part of a word finds it; Korean
 *   words also their pairs; Thai, Lao, Khmer and Burmese the words of a dictionary.
 */
export function termsOf(text: string): string[] {
  const runs = [...runsOf(normalise(text))];
  const languages = new Set([...languagesOf(runs), ENGLISH]);
  const codes = Array.from(languages, ({ code }) => code).toSorted();
  const termsOfSpacedRun = termsIn(codes.join(' '));
  return runs.flatMap((run) =>
    isShort(run) ? termsOfSpacedRun(run.text) : termsOfRun(run, indexedFormsIn(languages)),
  );
}

/** Of how many runs, in one set of languages, the terms are kept, and of how many sets. */
const MOST_RUNS = 4_000;
const MOST_SETS = 8;

/** Spaced runs to their terms, in the languages of these codes. */
const termsIn = remembering((codes) => {
  const termsOfWord = indexedFormsIn(LANGUAGES.filter(({ code }) => codes.split(' ').includes(code)));
  return remembering((text) => termsOfRun({ kind: 'spaced', text }, termsOfWord), MOST_RUNS);
}, MOST_SETS);

/** Whether what it gives can be kept: words are seen again, and encoded data is not. */
function isShort({ kind, text }: Run): boolean {
  return kind === 'spaced' && text.length <= MAX_TERM_LENGTH;
}

/**
 * Returns the terms that a question asks for: of each word its stem alone, which stands for all forms of it, and nothing of
 * the words that hold the sentence together. In a question whose language is not clear every word counts, in every form. The
 * first thousand, so that its length is bounded whatever is asked.
 */
export function termsOfQuery(text: string): string[] {
  return stemTerms(askedBy(text)).slice(0, MAX_QUERY_TERMS);
}

/**
 * Returns the terms by which a store looks for a question, each once, with its weight: the terms of `termsOfQuery`, and beside them
 * the words as they are written, which find what a text in another language has of them. A word whose only form is itself
 * weighs 1; each weight is a multiple of `WEIGHT_STEP`.
 */
export function weightedTermsOfQuery(text: string): ReadonlyMap<string, number> {
  const asked = askedBy(text);
  const weights = new Map<string, number>();
  const add = (terms: readonly string[], weight: number): void => {
    for (const term of terms.slice(0, MAX_QUERY_TERMS)) weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  add(stemTerms(asked), 1 - SURFACE_WEIGHT);
  add(termsOfRuns(asked.runs, surfaceForms), SURFACE_WEIGHT);
  return weights;
}

/** How many different words `termsOfQuery` looks for, each in as many forms as it may have. */
export function wordsOfQuery(text: string): number {
  const words = termsOfRuns(askedBy(text).runs, (word) => [withoutAccents(word)]);
  return new Set(words.slice(0, MAX_QUERY_TERMS)).size;
}

interface Asked {
  readonly runs: readonly Run[];
  readonly languages: readonly Language[];
}

function askedBy(text: string): Asked {
  const runs = [...runsOf(normalise(text))];
  const languages = languagesOf(runs);
  const said = runs.filter((run) => !isStopWord(withoutAccents(run.text), languages));
  // "To be or not to be" has nothing else.
  return { runs: said.length === 0 ? runs : said, languages };
}

/** ISO 639-1 of a text whose language its small words or its script tell; undefined where they do not. */
export function languageOf(text: string): string | undefined {
  const [script] = SCRIPTS.find(([, pattern]) => pattern.test(text)) ?? [];
  if (script !== undefined) return script;
  const [only, ...others] = languagesOf([...runsOf(normalise(text))]);
  return others.length === 0 ? only?.code : undefined;
}

/** How often each term stands among `terms`. */
export function termCounts(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function languagesOf(runs: readonly Run[]): readonly Language[] {
  const words = runs.filter(({ kind }) => kind === 'spaced').slice(0, LOOKED_AT);
  return likelyLanguages(words.map(({ text }) => withoutAccents(text)));
}

function stemTerms({ runs, languages }: Asked): string[] {
  return termsOfRuns(runs, languages.length === 1 ? (word) => stemsOf(word, languages) : plainFormsIn(languages));
}

/** Returns the word as it is written: without accents, and with them where it has any. */
function surfaceForms(word: string): readonly string[] {
  return [...new Set([withoutAccents(word), word])];
}

function plainFormsIn(languages: Iterable<Language>): TermsOfWord {
  const all = [...languages];
  return (word) => [...new Set([withoutAccents(word), ...stemsOf(word, all)])];
}

function indexedFormsIn(languages: Iterable<Language>): TermsOfWord {
  const plainForms = plainFormsIn(languages);
  return (word) => [...new Set([...plainForms(word), word])];
}

function isStopWord(word: string, languages: readonly Language[]): boolean {
  return languages.every(({ stopWords }) => stopWords.has(word));
}

/** The terms of one word, which is normalised. */
type TermsOfWord = (word: string) => readonly string[];

function termsOfRuns(runs: readonly Run[], termsOfWord: TermsOfWord): string[] {
  return runs.flatMap((run) => termsOfRun(run, termsOfWord));
}

function termsOfRun({ kind, text }: Run, termsOfWord: TermsOfWord): readonly string[] {
  return TERMS_OF_RUN[kind](text, termsOfWord).map(bounded);
}

const TERMS_OF_RUN: Readonly<Record<Run['kind'], (text: string, termsOfWord: TermsOfWord) => readonly string[]>> = {
  spaced: termsOfSpaced,
  ideographic: (run) => [...Array.from(run), ...pairs(run)],
  unspaced: (run) => Array.from(dictionary.segment(run), ({ segment }) => segment),
};

function termsOfSpaced(run: string, termsOfWord: TermsOfWord): readonly string[] {
  const words = run.split(NOT_WORD).filter((word) => word !== '');
  const [only] = words;
  if (words.length === 1 && only === run) return HANGUL.test(run) ? [run, ...pairs(run)] : termsOfWord(run);
  const parts = words.flatMap(termsOfWord);
  const sections = run.split(SPACE_IN_NAME).filter((section) => section !== '');
  const names = new Set([run, ...sections].map((name) => withoutAccents(name.replace(APOSTROPHES, ''))));
  return [...parts, ...[...names].filter((name) => name.length <= MAX_TERM_LENGTH && !parts.includes(name))];
}

function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

function bounded(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  return term.slice(0, MAX_TERM_LENGTH).replace(CUT_PAIR, '');
}
