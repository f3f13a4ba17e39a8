import { describe, expect, it } from 'vitest';
import { type Catalogue, type Language, LANGUAGES, type Message } from './define-messages.js';

type Texts = Readonly<Record<string, Message>>;

const MODULES = import.meta.glob<Readonly<Record<string, Catalogue<Texts>>>>(
  ['../**/*messages.ts', '!./define-messages.ts'],
  { eager: true },
);

/** Matches the number 1 with a noun in the plural. German nouns have a capital letter, and each is suspicious. */
const COUNTED: Readonly<Record<Language, RegExp>> = {
  en: /\b1 (?!(is|was|has)\b)\p{Ll}+s\b/u,
  // The parameter before “Versuch” is a sentence, and that before “Uhr” a time.
  de: /(?<!S\. )\b1 (?!(Versuch|Uhr)\b)\p{Lu}\p{L}+/u,
};

/** Renders a message with the number 1 for each parameter. */
function render(message: Message): string {
  return typeof message === 'string' ? message : message(...(Array<never>(6).fill('1' as never) as readonly never[]));
}

/** Lists the texts of a language by the name of their catalogue and their key. */
function listTexts(language: Language): readonly (readonly [name: string, text: string])[] {
  return Object.values(MODULES).flatMap((catalogues) =>
    Object.entries(catalogues).flatMap(([name, catalogue]) =>
      // A module also exports lists of keys.
      Object.entries(Object.hasOwn(catalogue, language) ? catalogue[language] : {}).map(
        ([key, message]) => [`${name}.${key}`, render(message)] as const,
      ),
    ),
  );
}

describe('texts with a number', () => {
  it.each(LANGUAGES)(
    'a noun after a number has a form for one and a form for others in the catalogue: %s',
    (language) => {
      const texts = listTexts(language);
      expect(texts.length).toBeGreaterThan(500);
      const wrong = texts.filter(([, text]) => COUNTED[language].test(text));
      expect(wrong).toEqual([]);
    },
  );

  it.each(LANGUAGES)(
    'a form for one has a form for others, which differs or has an invariable noun: %s',
    (language) => {
      const texts = new Map(listTexts(language));
      const forms = [...texts.keys()].filter((name) => name.endsWith('One') && texts.get(name)?.includes('#') === true);
      expect(forms.length).toBeGreaterThan(15);
      const incomplete = forms.filter((name) => texts.get(name.replace(/One$/, 'Other'))?.includes('#') !== true);
      expect(incomplete).toEqual([]);
    },
  );
});
