import { describe, expect, it } from 'vitest';
import { type Catalogue, type Language, LANGUAGES, type Message } from './define-messages.js';

type Texts = Readonly<Record<string, Message>>;

const MODULES = import.meta.glob<Readonly<Record<string, Catalogue<Texts>>>>(
  ['../**/*messages.ts', '!./define-messages.ts'],
  { eager: true },
);

/**
 * Matches the number 1 before a plural noun, by language. The German pattern matches any capitalized word after the
 * number, because German capitalizes nouns.
 */
const COUNTED: Readonly<Record<Language, RegExp>> = {
  en: /\b1 (?!(is|was|has)\b)\p{Ll}+s\b/u,
  // Before “Versuch”, the number ends the previous sentence. Before “Uhr”, the number is a time.
  de: /(?<!S\. )\b1 (?!(Versuch|Uhr)\b)\p{Lu}\p{L}+/u,
};

/** Renders a message with the number 1 as each parameter. */
function renderForOne(message: Message): string {
  return typeof message === 'string' ? message : message(...(Array<never>(6).fill('1' as never) as readonly never[]));
}

/** Lists the messages in a language. The name of each message consists of its catalogue and its key. */
function listTexts(language: Language): readonly (readonly [name: string, text: string])[] {
  return Object.values(MODULES).flatMap((catalogues) =>
    Object.entries(catalogues).flatMap(([name, catalogue]) =>
      // The modules also export lists of keys, which are not catalogues.
      Object.entries(Object.hasOwn(catalogue, language) ? catalogue[language] : {}).map(
        ([key, message]) => [`${name}.${key}`, renderForOne(message)] as const,
      ),
    ),
  );
}

describe('texts with a number', () => {
  it.each(LANGUAGES)('no message in the language %s has a plural noun after the number 1', (language) => {
    const texts = listTexts(language);
    expect(texts.length).toBeGreaterThan(500);
    const wrong = texts.filter(([, text]) => COUNTED[language].test(text));
    expect(wrong).toEqual([]);
  });

  it.each(LANGUAGES)(
    'for each singular message `…One` with the placeholder `#`, a plural message `…Other` with this placeholder exists in the language %s',
    (language) => {
      const texts = new Map(listTexts(language));
      const forms = [...texts.keys()].filter((name) => name.endsWith('One') && texts.get(name)?.includes('#') === true);
      expect(forms.length).toBeGreaterThan(15);
      const incomplete = forms.filter((name) => texts.get(name.replace(/One$/, 'Other'))?.includes('#') !== true);
      expect(incomplete).toEqual([]);
    },
  );
});
