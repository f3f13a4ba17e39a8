import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { readPreference, writePreference } from '../preferences/preferences.js';
import { LANGUAGES, type Catalogue, type Language } from './define-messages.js';
import { createFormats, type Formats } from './formats.js';

interface LanguageChoice {
  readonly language: Language;
  readonly formats: Formats;
  readonly setLanguage: (language: Language) => void;
}

const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

/**
 * Provides the language of the console: the stored choice of the user, else the first supported language of the
 * browser.
 */
export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState(detectLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    // The event `storage` reports that another tab has stored a choice.
    const handleStorage = ({ key }: StorageEvent): void => {
      if (key === 'quarry.language') setLanguage(detectLanguage());
    };
    addEventListener('storage', handleStorage);
    return () => removeEventListener('storage', handleStorage);
  }, []);
  const choice = useMemo<LanguageChoice>(
    () => ({
      language,
      formats: createFormats(language),
      setLanguage: (next) => {
        writePreference('quarry.language', next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

/** Returns the language of the console, its format functions, and a function that changes the language. */
export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext);
  if (choice === undefined)
    throw new Error('expected a LanguageProvider around the component that calls useLanguage, found none');
  return choice;
}

/** Returns the messages of a catalogue in the current language. */
export function useMessages<Messages>(catalogue: Catalogue<Messages>): Messages {
  return catalogue[useLanguage().language];
}

/** Returns the format functions of the current language. */
export function useFormats(): Formats {
  return useLanguage().formats;
}

function detectLanguage(): Language {
  const wanted = [readPreference('quarry.language') ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.flatMap((tag) => LANGUAGES.filter((language) => language === tag))[0] ?? 'en';
}
