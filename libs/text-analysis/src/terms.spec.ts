import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TERM_LENGTH, termCounts, termsOf, termsOfQuery } from './index.js';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.lorem());

describe('termsOf', () => {
  it.each([
    ['Änderungen, Straße und CAFÉ', ['anderungen', 'strasse', 'und', 'cafe']],
    ['Ελλάδα ΟΔΟΣ οδός', ['ελλαδα', 'οδοσ', 'οδοσ']],
    ['Ёлка', ['елка']],
    ['İstanbul ISPARTA ısparta', ['istanbul', 'isparta', 'isparta']],
    ['ﬁne ＡＢＣ x²', ['fine', 'abc', 'x2']],
    ['soft\u00adhyphen zero\u200bwidth', ['softhyphen', 'zero', 'width']],
    ['e\u0301 é', ['e', 'e']],
  ])('reads %j in lower case, without accents, in one spelling', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each([
    ['हिन्दी किताब', ['हिन्दी', 'किताब']],
    ['فارسی می\u200cخواهم', ['فارسی', 'میخواهم']],
    ['مُحَمَّد محمد', ['محمد', 'محمد']],
    ['שָׁלוֹם שלום', ['שלום', 'שלום']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['각', ['각']],
    ['தமிழ் വേഗം', ['தமிழ்', 'വേഗം']],
  ])('leaves the letters of %j whole', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each([
    ['user@example.com', ['user', 'example', 'com', 'user@example.com', 'example.com']],
    ['SKU-12/b', ['sku', '12', 'b', 'sku-12/b', 'sku-12']],
    ['1.2.3', ['1', '2', '3', '1.2.3']],
    ['ERR_CONN-42.', ['err', 'conn', '42', 'err_conn-42']],
    ['1,000.50', ['1', '000', '50', '1,000.50']],
    ['one,two', ['one', 'two']],
    ['C++ and C#', ['c', 'c++', 'and', 'c', 'c#']],
    ["O'Reilly’s", ['o', 'reilly', 's', 'oreillys']],
    ['a – b', ['a', 'b']],
  ])('keeps the name %j, and takes it apart', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each([
    ['東京都', ['東', '京', '都', '東京', '京都']],
    ['iPhone手机', ['iphone', '手', '机', '手机']],
    ['カメラ', ['カ', 'メ', 'ラ', 'カメ', 'メラ']],
    ['서울에서 는', ['서울에서', '서울', '울에', '에서', '는']],
  ])('gives the characters and pairs of %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('finds nothing where there are no words', () => {
    for (const text of ['', ' ', '—…!?', '\u0000', '\ud800', '👩‍👩‍👧', '"\'`;--']) expect(termsOf(text)).toEqual([]);
  });

  it('gives terms of bounded length, without white space, whatever it reads', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.string({ unit: fc.constantFrom('a', '𠮷', 'é', '-', '0'), minLength: 100 })),
        (text) => {
          for (const term of termsOf(text)) {
            expect(term).toMatch(/^\S+$/u);
            expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
            expect(term.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });

  it('does not mind case', () => {
    const letters = fc.string({ unit: fc.constantFrom(...Array.from('abcxyzäößéøłñαωσςяйё0-./@ 東')), maxLength: 40 });
    fc.assert(
      fc.property(letters, (text) => {
        expect(termsOf(text.toUpperCase())).toEqual(termsOf(text));
        expect(termsOf(text.toLowerCase())).toEqual(termsOf(text));
      }),
    );
  });

  it('reads the same from text however it is composed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(termsOf(text.normalize('NFD'))).toEqual(termsOf(text.normalize('NFC')));
      }),
    );
  });

  it('reads a text as it reads its lines', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(termsOf(`${a}\n${b}`)).toEqual([...termsOf(a), ...termsOf(b)]);
      }),
    );
  });

  it('finds a part of an ideographic text by each of its terms', () => {
    const ideographs = fc.string({
      unit: fc.constantFrom(...Array.from('東京都図書館はカメラー々𠮷')),
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(ideographs, fc.nat(), fc.nat(), (text, from, size) => {
        const characters = Array.from(text);
        const start = from % characters.length;
        const part = characters.slice(start, start + 1 + (size % characters.length)).join('');
        const terms = new Set(termsOf(text));
        expect(termsOf(part).filter((term) => !terms.has(term))).toEqual([]);
      }),
    );
  });

  it('finds a name by itself and by each of its words, whatever stands around it', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}([._/@-][a-z0-9]{1,8}){0,3}$/);
    const around = fc.constantFrom(' ', '\n', ', ', ' (', ') ', '" ', '。', ' — ');
    fc.assert(
      fc.property(name, around, around, (text, before, after) => {
        const terms = new Set(termsOf(`word${before}${text}${after}word`));
        expect(terms).toContain(text);
        for (const word of text.split(/[^a-z0-9]+/)) expect(terms).toContain(word);
      }),
    );
  });
});

describe('termsOfQuery', () => {
  it('reads the first thousand terms', () => {
    const text = Array.from({ length: 5_000 }, (_, at) => `w${String(at)}`).join(' ');
    expect(termsOfQuery(text)).toEqual(termsOf(text).slice(0, 1_000));
    expect(termsOfQuery('a short one')).toEqual(['a', 'short', 'one']);
  });
});

describe('termCounts', () => {
  it('counts repeats', () => {
    expect(termCounts(['a', 'b', 'a'])).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
  });
});
