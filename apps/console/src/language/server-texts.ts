import { QuarryError } from '@quarry/client';
import type { Language } from './define-messages.js';
import { createFormats } from './formats.js';
import { useLanguage } from './language-context.js';
import { GERMAN_PROBLEMS } from './problem-texts.js';
import { GERMAN_REASONS } from './reason-texts.js';

/** A reason of a run, a document or a question, as the API returns it. */
interface Reason {
  readonly code: string | null;
  readonly message: string;
}

/** Contains what the API returns about the documents that a run found. */
interface NotedRun {
  /** Sentences in English. */
  readonly note: string | null;
  readonly removal: { readonly documents: number; readonly of: number; readonly needsConfirmation: boolean } | null;
}

/** A note on a run, as the console shows it. */
export interface NoteText {
  readonly text: string;
  readonly language: Language;
  /** The whole note of the API. Undefined if `text` is that note. */
  readonly original: string | undefined;
}

/** Describes refused requests and failures in one language. */
export interface ServerTexts {
  /** Describes a refused request, or another error by its message. */
  readonly describeProblem: (error: unknown) => string;
  /** Describes why a run or a document failed. */
  readonly describeReason: (reason: Reason) => string;
  /** Describes the note of a run. Only missing documents that wait for a confirmation are translated, because other notes have no code. */
  readonly describeNote: (run: NotedRun) => NoteText | undefined;
  /** Describes why a question of an evaluation failed. Its codes are those of refused requests. */
  readonly describeQueryError: (reason: Reason) => string;
}

function describeMissingInGerman({ documents, of: known }: NonNullable<NotedRun['removal']>): string {
  const { number } = createFormats('de');
  return `Nicht wiedergefunden oder jetzt ausgeschlossen: ${number(documents)} von ${number(known)} Dokumenten. Nichts davon wird entfernt, bis Sie es bestätigen.`;
}

/** Returns the texts of the API in a language. A code without a translation has the English text of the API. */
export function createServerTexts(language: Language): ServerTexts {
  const translate = (texts: Readonly<Record<string, string>>, { code, message }: Reason): string =>
    (language === 'de' ? texts[code ?? ''] : undefined) ?? message;
  return {
    describeProblem: (error) => {
      if (error instanceof QuarryError) return translate(GERMAN_PROBLEMS, { code: error.code, message: error.detail });
      return error instanceof Error ? error.message : String(error);
    },
    describeReason: (reason) => translate(GERMAN_REASONS, reason),
    describeNote: ({ note, removal }) => {
      if (note === null) return undefined;
      if (language === 'en' || removal?.needsConfirmation !== true)
        return { text: note, language: 'en', original: undefined };
      return { text: describeMissingInGerman(removal), language, original: note };
    },
    describeQueryError: (reason) => translate(GERMAN_PROBLEMS, reason),
  };
}

const TEXTS: Readonly<Record<Language, ServerTexts>> = { en: createServerTexts('en'), de: createServerTexts('de') };

/** Returns the texts of the API in the current language. */
export function useServerTexts(): ServerTexts {
  return TEXTS[useLanguage().language];
}
