import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stopwords as arabicStopWords } from '@orama/stopwords/arabic';
import { stopwords as bulgarianStopWords } from '@orama/stopwords/bulgarian';
import { stopwords as danishStopWords } from '@orama/stopwords/danish';
import { stopwords as dutchStopWords } from '@orama/stopwords/dutch';
import { stopwords as englishStopWords } from '@orama/stopwords/english';
import { stopwords as finnishStopWords } from '@orama/stopwords/finnish';
import { stopwords as frenchStopWords } from '@orama/stopwords/french';
import { stopwords as germanStopWords } from '@orama/stopwords/german';
import { stopwords as greekStopWords } from '@orama/stopwords/greek';
import { stopwords as hungarianStopWords } from '@orama/stopwords/hungarian';
import { stopwords as italianStopWords } from '@orama/stopwords/italian';
import { stopwords as norwegianStopWords } from '@orama/stopwords/norwegian';
import { stopwords as portugueseStopWords } from '@orama/stopwords/portuguese';
import { stopwords as romanianStopWords } from '@orama/stopwords/romanian';
import { stopwords as russianStopWords } from '@orama/stopwords/russian';
import { stopwords as spanishStopWords } from '@orama/stopwords/spanish';
import { stopwords as swedishStopWords } from '@orama/stopwords/swedish';
import { stopwords as turkishStopWords } from '@orama/stopwords/turkish';
import { createGuardedStemmer, type Stemmer } from './guarded-stemmer.js';
import { normalizeText, removeAccents } from './normalize-text.js';
import { stemPersian } from './stem-persian.js';
import { HINDI_STOP_WORDS, PERSIAN_STOP_WORDS, VIETNAMESE_STOP_WORDS } from './stop-words.js';

/** Describes a language with a stemmer or a list of stop words. */
export interface Language {
  /** ISO 639-1 code of the language. */
  readonly code: string;
  /**
   * Returns the stem of a normalized word. Removes the accents of the stem, except in a language with significant
   * accents. Never throws.
   */
  readonly stem: Stemmer;
  /**
   * Returns true for stop words: function words that occur in most texts.
   *
   * @param word is normalized, with its accents
   */
  readonly isStopWord: (word: string) => boolean;
  /** Lists the stop words with their accents, and also without accents unless the language has significant accents. */
  readonly stopWords: ReadonlySet<string>;
  /** Indicates that accents distinguish words of the language: a word without its accents is another word. */
  readonly hasSignificantAccents: boolean;
  /** Indicates that suffixes follow an apostrophe, as in the Turkish `Ankara'da` (in Ankara). */
  readonly hasApostropheSuffixes: boolean;
  /** Matches words in the script of the language. */
  readonly script: RegExp;
}

const LATIN = /^[\p{Script=Latin}\p{M}]+$/u;
const CYRILLIC = /^[\p{Script=Cyrillic}\p{M}]+$/u;
const GREEK = /^[\p{Script=Greek}\p{M}]+$/u;
const ARABIC = /^[\p{Script=Arabic}\p{M}]+$/u;
const DEVANAGARI = /^[\p{Script=Devanagari}\p{M}]+$/u;

export const ENGLISH = createLanguage('en', LATIN, english, englishStopWords);

/** Lists the languages with stemmers or stop words. */
export const LANGUAGES: readonly Language[] = [
  createLanguage('ar', ARABIC, stemArabic, arabicStopWords),
  createLanguage('bg', CYRILLIC, stemBulgarian, bulgarianStopWords),
  createLanguage('da', LATIN, danish, danishStopWords),
  createLanguage('de', LATIN, german, germanStopWords),
  createLanguage('el', GREEK, greek, greekStopWords),
  ENGLISH,
  createLanguage('es', LATIN, spanish, spanishStopWords),
  createLanguage('fa', ARABIC, stemPersian, PERSIAN_STOP_WORDS),
  createLanguage('fi', LATIN, finnish, finnishStopWords),
  createLanguage('fr', LATIN, french, frenchStopWords),
  createLanguage('hi', DEVANAGARI, hindi, HINDI_STOP_WORDS),
  createLanguage('hu', LATIN, hungarian, hungarianStopWords),
  createLanguage('it', LATIN, italian, italianStopWords),
  createLanguage('nl', LATIN, dutch, dutchStopWords),
  createLanguage('no', LATIN, norwegian, norwegianStopWords),
  createLanguage('pt', LATIN, portuguese, portugueseStopWords),
  createLanguage('ro', LATIN, romanian, romanianStopWords),
  createLanguage('ru', CYRILLIC, russian, russianStopWords),
  createLanguage('sv', LATIN, swedish, swedishStopWords),
  createLanguage('tr', LATIN, turkish, turkishStopWords),
  createVietnamese(),
];

function createLanguage(code: string, script: RegExp, stem: Stemmer, listed: readonly string[]): Language {
  const written = listed.map(normalizeText);
  const plain = written.map(removeAccents);
  const stopWords = new Set([...written, ...plain]);
  // English has accents only in words of other languages, so the French `thé` (tea) is not the stop word `the`.
  const compareWithoutAccents = code !== 'en';
  const guarded = createGuardedStemmer(code, stem);
  return {
    code,
    script,
    stem: (word) => removeAccents(guarded(word)),
    isStopWord: (word) => stopWords.has(compareWithoutAccents ? removeAccents(word) : word),
    stopWords,
    hasSignificantAccents: false,
    hasApostropheSuffixes: code === 'tr',
  };
}

/** Defines Vietnamese, whose words have no inflected forms: the stem of a word is the word with its accents. */
function createVietnamese(): Language {
  const stopWords = new Set(VIETNAMESE_STOP_WORDS.map(normalizeText));
  return {
    code: 'vi',
    script: LATIN,
    stem: (word) => word,
    isStopWord: (word) => stopWords.has(word),
    stopWords,
    hasSignificantAccents: true,
    hasApostropheSuffixes: false,
  };
}

/**
 * Matches an Arabic conjunction before the article, or before a preposition with the article. The Arabic stemmer of
 * `@orama/stemmers` does not remove the conjunction.
 */
const ARABIC_CONJUNCTION = /^[وف](?=ال|لل|بال|كال)/;

/**
 * Returns the stem of an Arabic word. Removes a conjunction and a preposition before the article first. Source: light10
 * (Larkey et al. 2007).
 */
function stemArabic(word: string): string {
  return arabic(word.replace(ARABIC_CONJUNCTION, '').replace(/^[بك](?=ال)/, ''));
}

/**
 * Returns the stem of a Bulgarian word. The stemmer of `@orama/stemmers` receives an array of characters instead of a
 * string. It is a translation of Lucene's Java code and modifies the word in place, but strings are immutable.
 */
function stemBulgarian(word: string): string {
  const characters = word.split('');
  const mutable = Object.assign(characters, {
    substring: (from: number, to: number) => characters.slice(from, to).join(''),
  });
  // The package declares a string, but uses only `length`, the characters and `substring`.
  return bulgarian(mutable as unknown as string);
}
