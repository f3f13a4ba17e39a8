import { separateAffixes } from './affixes.js';
import { listCompoundNames } from './compound-names.js';
import { normalizeText, removeAccents } from './normalize-text.js';
import { ENGLISH, LANGUAGES, type Language } from './languages.js';
import { removeApostropheParts } from './apostrophes.js';
import { MAX_EXAMINED_WORDS, findLikelyLanguages } from './likely-languages.js';
import { determineQueryLanguages } from './query-languages.js';
import { memoizeFunction } from './memoize.js';
import { detectScriptLanguage } from './script-languages.js';
import { splitIntoScriptRuns, type ScriptRun } from './script-runs.js';
import { computeStems, computeStemsForDocuments } from './stems.js';

/** Maximum length of a term, in UTF-16 code units. A longer word (a hash, encoded data) is truncated. */
export const MAX_TERM_LENGTH = 64;

/** Maximum number of terms of a query, because each term costs time in every store. */
const MAX_QUERY_TERMS = 1_000;

/** Share of a query word's weight that the unchanged word has. Its stem has the rest. Source: decision record 20. */
const SURFACE_WEIGHT = 0.25;

/** Step of the weights of `weighQueryTerms`: each weight is a multiple of this number. */
export const WEIGHT_STEP = 0.125;

const dictionary = new Intl.Segmenter('und', { granularity: 'word' });
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const HANGUL = /^[\p{Script=Hangul}]{3,}$/u;
const CUT_PAIR = /[\ud800-\udbff]$/;

/**
 * Returns the terms by which lexical search finds a text, in the order of the text and with repetitions. Terms contain
 * no white space and have at most `MAX_TERM_LENGTH` code units. All fragment stores use this function.
 *
 * - Words are in lower case and without accents. The stem follows if it differs from the word. If the language of the
 *   text is unclear, the stems in all likely languages follow. English stems always follow, because queries for names
 *   and technical terms are often English. A word with accents also follows unchanged, because accents distinguish
 *   Vietnamese words.
 * - A compound name (`user@example.com`, `SKU-12/b`, `1.2.3`) is a term, and so is each of its parts.
 * - Chinese and Japanese text yields every character and every pair of neighbours, so that parts of words match. Korean
 *   words also yield these pairs. Thai, Lao, Khmer and Burmese text is split into words with a dictionary.
 * - A Korean, Arabic or Hebrew particle beside a word in another script is separated from the word: `PDF를`.
 */
export function extractTerms(text: string): string[] {
  const runs = [...splitIntoScriptRuns(normalizeText(text))];
  const languages = new Set([...findLanguagesOfRuns(runs), ENGLISH]);
  const codes = Array.from(languages, ({ code }) => code).toSorted();
  const termsOfSpacedRun = getSpacedRunAnalyzer(codes.join(' '));
  return runs.flatMap((run) =>
    isCacheableRun(run) ? termsOfSpacedRun(run.text) : extractTermsOfScriptRun(run, createWordFormLister(languages)),
  );
}

/** Maximum number of runs of text in one generation of the cache (`memoizeFunction`), per set of languages. */
const MAX_CACHED_RUNS = 4_000;
const MAX_CACHED_LANGUAGE_SETS = 8;
/** Maximum number of query words in one generation of the cache (`memoizeFunction`), per list of languages. */
const MAX_CACHED_QUERY_WORDS = 1_000;

/**
 * Returns a caching function that maps a run of the kind `spaced`, which is a word or a compound name, to its terms.
 * The argument lists the codes of the text's possible languages, separated by spaces.
 */
const getSpacedRunAnalyzer = memoizeFunction((codes) => {
  const termsOfWord = createWordFormLister(LANGUAGES.filter(({ code }) => codes.split(' ').includes(code)));
  return memoizeFunction((text) => extractTermsOfScriptRun({ kind: 'spaced', text }, termsOfWord), MAX_CACHED_RUNS);
}, MAX_CACHED_LANGUAGE_SETS);

/** Returns true for runs whose terms are cached: words recur, but long runs, such as encoded data, do not. */
function isCacheableRun({ kind, text }: ScriptRun): boolean {
  return kind === 'spaced' && text.length <= MAX_TERM_LENGTH;
}

/**
 * Returns the terms of a query: the stem of each word except stop words. The stem of a word matches all its forms. If
 * the language of the query is unclear, the terms contain the stems of every word in all languages of the documents.
 * Returns at most a thousand terms.
 *
 * @param documentLanguages lists the ISO 639-1 codes of the searched documents' languages. Empty: the languages are
 * unknown, and every language is possible.
 */
export function analyzeQueryTerms(text: string, documentLanguages: readonly string[] = []): string[] {
  return computeQueryStems(analyzeQuery(text, documentLanguages)).slice(0, MAX_QUERY_TERMS);
}

/**
 * Returns the weighted terms of a query: the terms of `analyzeQueryTerms`, and the unchanged words with and without
 * accents. The unchanged words also match texts in other languages. A word whose stem is the unchanged word has weight
 * 1. Each weight is a multiple of `WEIGHT_STEP`.
 *
 * @param documentLanguages as for `analyzeQueryTerms`
 */
export function weighQueryTerms(text: string, documentLanguages: readonly string[] = []): ReadonlyMap<string, number> {
  const query = analyzeQuery(text, documentLanguages);
  const weights = new Map<string, number>();
  const addTerms = (terms: readonly string[], weight: number): void => {
    for (const term of terms.slice(0, MAX_QUERY_TERMS)) weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  addTerms(computeQueryStems(query), 1 - SURFACE_WEIGHT);
  // A word with accents and the word without accents each have half of the weight of the surface form.
  addTerms(extractTermsOfScriptRuns(query.runs, listFormWithoutAccents), SURFACE_WEIGHT / 2);
  addTerms(extractTermsOfScriptRuns(query.runs, listFormWithAccents), SURFACE_WEIGHT / 2);
  return weights;
}

/**
 * Returns the terms of a query, and the ISO 639-1 codes of the languages of the query.
 *
 * @param documentLanguages as for `analyzeQueryTerms`
 */
export function analyzeQueryForExplanation(
  text: string,
  documentLanguages: readonly string[] = [],
): { readonly terms: readonly string[]; readonly languages: readonly string[] } {
  const query = analyzeQuery(text, documentLanguages);
  const terms = [...new Set(computeQueryStems(query).slice(0, MAX_QUERY_TERMS))];
  return { terms, languages: query.languages.map(({ code }) => code) };
}

/** Counts the distinct words of a query, apart from stop words. A word with several stems counts once. */
export function countQueryWords(text: string): number {
  const words = extractTermsOfScriptRuns(analyzeQuery(text, []).runs, (word) => [removeAccents(word)]);
  return new Set(words.slice(0, MAX_QUERY_TERMS)).size;
}

interface AnalyzedQuery {
  readonly runs: readonly ScriptRun[];
  readonly languages: readonly Language[];
  /** Indicates that the caller passed the languages of the documents. */
  readonly hasDocumentLanguages: boolean;
}

function analyzeQuery(text: string, documentLanguages: readonly string[]): AnalyzedQuery {
  const runs = [...splitIntoScriptRuns(normalizeText(text))];
  const { stemLanguages, stopWordLanguages } = determineQueryLanguages(selectWordsOfRuns(runs), documentLanguages);
  const isStopWordOfQuery = (word: string): boolean => stopWordLanguages.every((language) => language.isStopWord(word));
  const isSuffixed = stemLanguages.every(({ hasApostropheSuffixes }) => hasApostropheSuffixes);
  const words = runs.map((run) => ({ ...run, text: removeApostropheParts(run.text, isSuffixed, isStopWordOfQuery) }));
  const significant = words.filter(({ text }) => !isStopWordOfQuery(text));
  // A query that consists of stop words keeps them, such as "to be or not to be".
  return {
    runs: significant.length === 0 ? runs : significant,
    languages: stemLanguages,
    hasDocumentLanguages: documentLanguages.length > 0,
  };
}

/** Returns the ISO 639-1 code of a text's language, or undefined if neither script nor stop words identify it. */
export function detectLanguage(text: string): string | undefined {
  const script = detectScriptLanguage(text);
  if (script !== undefined) return script;
  const [only, ...others] = findLanguagesOfRuns([...splitIntoScriptRuns(normalizeText(text))]);
  return others.length === 0 ? only?.code : undefined;
}

/** Returns the number of occurrences of each term. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function findLanguagesOfRuns(runs: readonly ScriptRun[]): readonly Language[] {
  return findLikelyLanguages(selectWordsOfRuns(runs));
}

/** Returns the words of a text that language detection examines. */
function selectWordsOfRuns(runs: readonly ScriptRun[]): readonly string[] {
  const words = runs.filter(({ kind }) => kind === 'spaced').slice(0, MAX_EXAMINED_WORDS);
  return words.map(({ text }) => text);
}

function computeQueryStems({ runs, languages, hasDocumentLanguages }: AnalyzedQuery): string[] {
  const codes = languages.map(({ code }) => code).join(' ');
  return extractTermsOfScriptRuns(runs, hasDocumentLanguages ? getDocumentStemmer(codes) : getStemmer(codes));
}

const getStemmer = createStemCaches(computeStems);
const getDocumentStemmer = createStemCaches(computeStemsForDocuments);

/**
 * Creates a function that returns a caching stemmer for a list of languages. The argument `codes` lists the codes of
 * the languages in order, separated by spaces.
 */
function createStemCaches(compute: typeof computeStems): (codes: string) => TermsOfWord {
  return memoizeFunction((codes) => {
    const languages = codes.split(' ').flatMap((code) => LANGUAGES.filter((language) => language.code === code));
    const computeStemsOfWord = (word: string): readonly string[] => compute(word, languages);
    const findCached = memoizeFunction(computeStemsOfWord, MAX_CACHED_QUERY_WORDS);
    return (word) => (word.length <= MAX_TERM_LENGTH ? findCached(word) : computeStemsOfWord(word));
  }, MAX_CACHED_LANGUAGE_SETS);
}

function listFormWithoutAccents(word: string): readonly string[] {
  return [removeAccents(word)];
}

function listFormWithAccents(word: string): readonly string[] {
  return [word];
}

/** Returns a function that lists the forms of a word: without accents, its stems, and with accents. */
function createWordFormLister(languages: Iterable<Language>): TermsOfWord {
  const all = [...languages];
  return (word) => [...new Set([removeAccents(word), ...computeStems(word, all), word])];
}

/** Returns the terms of a normalized word. */
type TermsOfWord = (word: string) => readonly string[];

function extractTermsOfScriptRuns(runs: readonly ScriptRun[], termsOfWord: TermsOfWord): string[] {
  return runs.flatMap((run) => extractTermsOfScriptRun(run, termsOfWord));
}

function extractTermsOfScriptRun({ kind, text }: ScriptRun, termsOfWord: TermsOfWord): readonly string[] {
  return TERMS_OF_SCRIPT_RUN[kind](text, termsOfWord).map(truncateTerm);
}

const TERMS_OF_SCRIPT_RUN: Readonly<
  Record<ScriptRun['kind'], (text: string, termsOfWord: TermsOfWord) => readonly string[]>
> = {
  spaced: extractTermsOfSpacedRun,
  ideographic: (run) => [...Array.from(run), ...listCharacterPairs(run)],
  unspaced: (run) => Array.from(dictionary.segment(run), ({ segment }) => segment),
};

function extractTermsOfSpacedRun(run: string, termsOfWord: TermsOfWord): readonly string[] {
  const words = (run.match(WORD) ?? []).flatMap(separateAffixes);
  const parts = words.flatMap((word) => (HANGUL.test(word) ? [word, ...listCharacterPairs(word)] : termsOfWord(word)));
  if (words.length === 1 && words[0] === run) return parts;
  const names = listCompoundNames(run).filter((name) => name.length <= MAX_TERM_LENGTH && !parts.includes(name));
  return [...parts, ...names];
}

function listCharacterPairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

function truncateTerm(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  return term.slice(0, MAX_TERM_LENGTH).replace(CUT_PAIR, '');
}
