import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSentenceStarts } from './sentence-starts.js';

function listSentences(text: string, canBeGerman = true): string[] {
  const starts = findSentenceStarts(text, () => canBeGerman);
  return starts.map((start, at) => text.slice(start, starts[at + 1]).trim());
}

describe('findSentenceStarts', () => {
  it.each([
    'Das Gasthaus öffnet nach dem Umbau am 3. Oktober 2026 um 9 Uhr.',
    'Der Markt dauert vom 3.–5. Oktober.',
    'Im 18. und 19. Jahrhundert wurde Warschau groß.',
    'Die 2. Etage ist leer.',
    'Der 1. FC Köln gewann mit 3:0.',
    'Heinrich VIII. König von England, regierte lange.',
  ])('a German sentence does not end after its ordinal number: %j', (sentence) => {
    expect(listSentences(`${sentence} Danach kam der Winter.`)).toEqual([sentence, 'Danach kam der Winter.']);
  });

  it.each([
    ['Die Strecke endet an der State Route 99.', 'Sie ist lang.'],
    ['Er wurde 30.', 'Derzeit lebt er in Köln.'],
    ['Das Spiel endete am 3.10.', 'Zuschauer waren dort.'],
    ['Das Lokal öffnet um 9 Uhr.', 'Die Küche schließt um 22 Uhr.'],
    ['Die Note war 27/100.', 'Kritiker lobten sie.'],
    ['Das war im Jahr 1920.', 'Häuser wurden gebaut.'],
  ])('a German sentence ends after a number that is no ordinal, and after a short noun: %j', (first, second) => {
    expect(listSentences(`${first} ${second}`)).toEqual([first, second]);
  });

  it('a number before a noun ends a sentence if the text is not German', () => {
    const sentences = ['It costs 30.', 'Customers pay less.', 'Many children are aged 9.', 'The Ministry said so.'];
    expect(listSentences(sentences.join(' '), false)).toEqual(sentences);
  });

  it.each([
    'Die Firma Müller bzw. Meier liefert.',
    'Er kommt ca. Anfang Juni.',
    'Der Preis beträgt 5 EUR inkl. Versand.',
    'England played vs. Germany in 1966.',
    'Vgl. Meier und Prof. Müller.',
  ])('a sentence does not end after an abbreviation: %j', (sentence) => {
    expect(listSentences(`${sentence} Yes.`, false)).toEqual([sentence, 'Yes.']);
  });

  it('an English sentence does not end after a title, before any name', () => {
    expect(listSentences('We met Dr. Will Smith. Yes.', false)).toEqual(['We met Dr. Will Smith.', 'Yes.']);
  });

  it('the number of an item in a paragraph is part of the item', () => {
    expect(listSentences('1. Open the door. 2. Close it.', false)).toEqual(['1. Open the door.', '2. Close it.']);
  });

  it.each([
    ['It was paper tape (1889).[20]', 'On June 16, 1911, they met.'],
    ['He called on Flint at CTR.[23][24]', 'Watson joined CTR.'],
  ])('reference marks belong to the sentence before them: %j', (first, second) => {
    expect(listSentences(`${first} ${second}`)).toEqual([first, second]);
  });

  it('a Markdown link after a sentence is no reference mark', () => {
    const text = 'Read it.[Manual](https://example.com) explains all.';
    expect(listSentences(text).some((sentence) => sentence.includes('[Manual](https://example.com)'))).toBe(true);
  });

  it('an opening bracket that is no reference mark belongs to the sentence after it', () => {
    expect(listSentences('He left.[Later he came.')).toEqual(['He left.', '[Later he came.']);
  });

  it('findSentenceStarts calls `canBeGerman` at most once', () => {
    let calls = 0;
    findSentenceStarts('Am 3. Mai, am 4. Mai, am 5. Mai.', () => {
      calls += 1;
      return true;
    });
    expect(calls).toBe(1);
  });

  it('the offsets are ascending, and the first one is 0', () => {
    const part = fc.constantFrom(
      'Am 3. ',
      'Mai',
      '.[',
      '20] ',
      '[a. B]',
      'A.',
      ' bzw. ',
      '四。',
      '🙂',
      '\n',
      '. ',
      '1. ',
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 20 }), (parts) => {
        const starts = findSentenceStarts(parts.join(''), () => true);
        expect(starts[0]).toBe(0);
        expect(starts).toEqual([...new Set(starts)].toSorted((one, other) => one - other));
      }),
    );
  });
});
