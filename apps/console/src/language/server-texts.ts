import { QuarryError } from '@quarry/client';
import type { Language } from './define-messages.js';
import { findUnknownHost } from './find-unknown-host.js';
import { createFormats } from './formats.js';
import { useLanguage } from './language-context.js';
import { translateItemProblem } from './item-problem-texts.js';
import { GERMAN_NOTES, type NoteValues } from './note-texts.js';
import { GERMAN_PROBLEMS } from './german-problem-texts.js';
import { GERMAN_REASONS } from './reason-texts.js';
import { RunFailure } from './run-failure.js';

/** The reason of a failed run, document or question, as the API returns it. */
interface Reason {
  readonly code: string | null;
  readonly message: string;
}

/** A note on a run, as the API returns it. */
interface RunNote {
  readonly code: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The English text of the note, in whole sentences. */
  readonly message: string;
}

/**
 * A text of the API in the language of the console if it has a translation, else in English. `language` is the actual
 * language.
 */
export interface NoteText {
  readonly text: string;
  readonly language: Language;
}

/** Functions that translate errors, failure reasons and notes of the API into one language. */
export interface ServerTexts {
  /** Describes a `QuarryError` or a `RunFailure`. Returns the message of any other error. */
  readonly describeProblem: (error: unknown) => string;
  /** Describes why a run or a document failed. */
  readonly describeReason: (reason: Reason) => string;
  /** Describes why an item of a listing is not valid. */
  readonly describeItemProblem: (problem: string) => NoteText;
  /** Describes the notes on a run. A note without a translation stays English. */
  readonly describeNotes: (run: { readonly notes: readonly RunNote[] }) => readonly NoteText[];
  /**
   * Describes the position of a passage in its document, such as `sheet Prices, rows 40–80`. A position in another form
   * stays English.
   */
  readonly describeLocation: (location: string) => string;
  /** Describes why a question of an evaluation failed. `reason.code` is an error code of a refused request. */
  readonly describeQueryError: (reason: Reason) => string;
}

/** Returns the German text of a note, or undefined if the note has no translation. */
function translateNote({ code, parameters }: RunNote): string | undefined {
  const translations: Readonly<Record<string, (values: NoteValues) => string | undefined>> = GERMAN_NOTES;
  const { number, plural } = createFormats('de');
  const formatParameter = (name: string): string => {
    const value = parameters[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return translations[code ?? '']?.({
    text: formatParameter,
    number: (name) => number(Number(formatParameter(name))),
    count: (name, one, other) => plural(Number(formatParameter(name)), { one: `# ${one}`, other: `# ${other}` }),
    has: (name) => !['', '0'].includes(formatParameter(name)),
    reason: () => GERMAN_REASONS[formatParameter('code')] ?? `${formatParameter('reason')}.`,
  });
}

/** Translates the position of a passage, such as a sheet, rows or a slide, into German. */
function translatePassageLocation(location: string): string {
  return location
    .replace(/^sheet /, 'Blatt ')
    .replace(/^slide footer$/, 'Fußzeile der Folien')
    .replace(/^slide (\d+)/, 'Folie $1')
    .replace(/(^Folie \d+) \(hidden\)$/, '$1 (ausgeblendet)')
    .replace(/(^|, )(rows?) (?=[\d–]+$)/, (_whole, before: string, rows: string) => `${before}${ROWS[rows] ?? rows} `);
}

const ROWS: Readonly<Record<string, string>> = { row: 'Zeile', rows: 'Zeilen' };

/** Matches the request at the end of the reason why a listing could not be read. */
const REQUEST = / \(GET \S+\)$/;

const UNKNOWN_HOST_TEXTS: Readonly<Record<Language, (host: string) => string>> = {
  en: (host) => `There is no server named ${host}.`,
  de: (host) => `Es gibt keinen Server namens ${host}.`,
};

/** Capitalizes a sentence of the API, unless the sentence begins with a name such as `robots.txt`. */
function capitalizeFirstWord(message: string): string {
  return message.replace(/^[a-z]+(?=[ ,])/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
}

/**
 * Creates the functions that translate texts of the API into a language. For a code without a translation, they return
 * the English text.
 */
export function createServerTexts(language: Language): ServerTexts {
  const translate = (texts: Readonly<Record<string, string>>, { code, message }: Reason): string =>
    (language === 'de' ? texts[code ?? ''] : undefined) ?? message;
  const toNoteText = (english: string, translateToGerman: () => string | undefined): NoteText => {
    const german = language === 'de' ? translateToGerman() : undefined;
    return german === undefined ? { text: english, language: 'en' } : { text: german, language };
  };
  return {
    describeProblem: (error) => {
      if (error instanceof QuarryError) return translate(GERMAN_PROBLEMS, { code: error.code, message: error.detail });
      if (error instanceof RunFailure) return translate(GERMAN_REASONS, error);
      return error instanceof Error ? error.message : String(error);
    },
    describeReason: (reason) => {
      const host = findUnknownHost(reason.message);
      if (host !== undefined) return UNKNOWN_HOST_TEXTS[language](host);
      return capitalizeFirstWord(translate(GERMAN_REASONS, reason).replace(REQUEST, ''));
    },
    describeItemProblem: (problem) => toNoteText(problem, () => translateItemProblem(problem)),
    describeNotes: ({ notes }) => notes.map((note) => toNoteText(note.message, () => translateNote(note))),
    describeLocation: (location) => (language === 'de' ? translatePassageLocation(location) : location),
    describeQueryError: (reason) => translate(GERMAN_PROBLEMS, reason),
  };
}

const TEXTS: Readonly<Record<Language, ServerTexts>> = { en: createServerTexts('en'), de: createServerTexts('de') };

/** Returns the functions that translate texts of the API into a language. */
export function getServerTexts(language: Language): ServerTexts {
  return TEXTS[language];
}

/** Returns the functions that translate texts of the API into the current language. */
export function useServerTexts(): ServerTexts {
  return getServerTexts(useLanguage().language);
}
