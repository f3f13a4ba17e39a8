import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEXTS_IN_LANGUAGES, splitIntoWords } from './testing/index.js';
import {
  detectLanguage,
  MAX_TERM_LENGTH,
  countTerms,
  extractTerms,
  analyzeQueryTerms,
  weighQueryTerms,
  WEIGHT_STEP,
  countQueryWords,
  analyzeQueryForExplanation,
} from './index.js';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.lorem());

describe('extractTerms', () => {
  it.each([
    ['Änderungen, Straße und CAFÉ', ['anderungen', 'strasse', 'und', 'cafe']],
    ['Ελλάδα ΟΔΟΣ οδός', ['ελλαδα', 'οδοσ', 'οδοσ']],
    ['Ёлка', ['елка']],
    ['İstanbul ISPARTA ısparta', ['istanbul', 'isparta', 'isparta']],
    ['ﬁne ＡＢＣ x²', ['fine', 'abc', 'x2']],
    ['soft\u00adhyphen zero\u200bwidth', ['softhyphen', 'zerowidth']],
    ['ភាសា\u200bខ្មែរ\u200b', ['ភាសា', 'ខ្មែរ']],
    ['e\u0301 é', ['e', 'e']],
  ])('extractTerms normalizes %j to lower case without accents', (text, terms) => {
    expect(extractTerms(text)).toEqual(expect.arrayContaining(terms));
  });

  it.each([
    ['हिन्दी किताब', ['हिन्दी', 'किताब']],
    ['فارسی می\u200cخواهم', ['فارسی', 'میخواهم']],
    ['مُحَمَّد محمد', ['محمد', 'محمد']],
    ['שָׁלוֹם שלום', ['שלום', 'שלום']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['각', ['각']],
    ['தமிழ் വേഗം', ['தமிழ்', 'വേഗം']],
  ])('extractTerms keeps all letters of the words in %j', (text, terms) => {
    expect(extractTerms(text)).toEqual(expect.arrayContaining(terms));
  });

  it.each([
    ['أحمد إلى مدرسة', ['احمد', 'الي', 'مدرسه']],
    ['کتاب علی', ['كتاب', 'علي']],
    ['٢٠٢٤ ۱۲ ४२', ['2024', '12', '42']],
  ])('extractTerms returns the words and numbers of %j in their most common spelling', (text, terms) => {
    expect(extractTerms(text)).toEqual(expect.arrayContaining(terms));
  });

  it.each([
    ['وقال إن الكتاب في المكتبة مع كتاب آخر', ['كتاب', 'مكتب']],
    ['این کتاب‌ها را برای بچه‌ها از شهرهای دیگر خرید', ['كتاب', 'شهر']],
    ['यह किताब लड़कों के लिए है और वह लड़का यहाँ था', ['लड़क']],
  ])('extractTerms returns stems of %j', (text, stems) => {
    expect(extractTerms(text)).toEqual(expect.arrayContaining(stems));
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
  ])('extractTerms returns the name %j and its parts', (text, terms) => {
    expect(extractTerms(text)).toEqual(expect.arrayContaining(terms));
  });

  it.each([
    ['東京都', ['東', '京', '都', '東京', '京都']],
    ['x手机', ['x', '手', '机', '手机']],
    ['カメラ', ['カ', 'メ', 'ラ', 'カメ', 'メラ']],
    ['서울에서 는', ['서울에서', '서울', '울에', '에서', '는']],
  ])('extractTerms returns the words or characters of %j, and pairs of neighbouring characters', (text, terms) => {
    expect(extractTerms(text)).toEqual(terms);
  });

  it.each([
    ['PDF를', ['pdf', 'pdf를']],
    ['API는', ['api', 'api는']],
    ['2024년에', ['2024', '년에', '2024년에']],
    ['LG전자', ['lg', '전자', 'lg전자']],
    ['PDF에서는', ['pdf', '에서는', '에서', '서는', 'pdf에서는']],
    ['C++를', ['c', 'c++']],
    ['user@example.com으로', ['user', 'example', 'com', 'user@example.com']],
    ['הPDF', ['pdf', 'הpdf']],
    ['الـPDF', ['pdf', 'ال']],
  ])('extractTerms returns the word in %j to which a particle is attached', (text, terms) => {
    expect(extractTerms(text)).toEqual(expect.arrayContaining(terms));
  });

  it('the terms of a word with a particle match the word, but a particle of one letter is not a term', () => {
    for (const [word, written] of [
      ['PDF', 'PDF를'],
      ['C++', 'C++를'],
      ['2024', '2024년'],
      ['user@example.com', 'user@example.com으로'],
    ] as const)
      expect(extractTerms(written)).toEqual(expect.arrayContaining(analyzeQueryTerms(word)));
    expect(extractTerms('PDF를')).not.toContain('를');
    expect(extractTerms('הPDF')).not.toContain('ה');
  });

  it('extractTerms returns no terms for text without words', () => {
    for (const text of ['', ' ', '—…!?', '\u0000', '\ud800', '👩‍👩‍👧', '"\'`;--']) expect(extractTerms(text)).toEqual([]);
  });

  it('the terms of any text have at most 64 code units and no white space', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.string({ unit: fc.constantFrom('a', '𠮷', 'é', '-', '0'), minLength: 100 })),
        (text) => {
          for (const term of extractTerms(text)) {
            expect(term).toMatch(/^\S+$/u);
            expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
            expect(term.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });

  it('extractTerms returns the same terms for upper and lower case', () => {
    const letters = fc.string({ unit: fc.constantFrom(...Array.from('abcxyzäößéøłñαωσςяйё0-./@ 東')), maxLength: 40 });
    fc.assert(
      fc.property(letters, (text) => {
        expect(extractTerms(text.toUpperCase())).toEqual(extractTerms(text));
        expect(extractTerms(text.toLowerCase())).toEqual(extractTerms(text));
      }),
    );
  });

  it('extractTerms returns the same terms for every Unicode composition of a text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(extractTerms(text.normalize('NFD'))).toEqual(extractTerms(text.normalize('NFC')));
      }),
    );
  });

  it('the terms of a text contain each word of the text with and without accents, whatever language is detected', () => {
    const word = fc.stringMatching(/^[a-zäéñşå]{1,12}$/);
    const smallWords = fc.constantFrom('the', 'und', 'les', 'y', 'och', 'не', 'ja');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, smallWords), { maxLength: 20 }), (words) => {
        const terms = new Set(extractTerms(words.join(' ')));
        for (const each of words.flatMap((one) => [one, ...listWordWithoutAccents(one)])) expect(terms).toContain(each);
      }),
    );
  });

  it.each([
    ['en', 'The batteries of the cameras were not charging.', ['batteri', 'camera', 'charg']],
    ['de', 'Die Häuser und die Straßen der Städte sind alt.', ['haus', 'strass', 'stadt']],
    ['fr', 'Les chevaux sont dans les grandes prairies.', ['cheval', 'grand', 'prair']],
    ['es', 'Los perros no están en las casas.', ['perr', 'cas']],
    ['it', 'I gatti sono nelle case della città.', ['gatt', 'cas', 'citt']],
    ['pt', 'Os gatos não estão nas casas com você.', ['gat', 'cas']],
    ['nl', 'De huizen zijn niet in het bos van de koningen.', ['huiz', 'koning']],
    ['sv', 'Flickorna och pojkarna är inte i husen.', ['flick', 'pojk', 'hus']],
    ['ru', 'Книги не были на столах в этих домах.', ['книг', 'стол', 'дом']],
  ])('extractTerms returns the stems of words in a sentence (%s)', (_language, text, stems) => {
    expect(extractTerms(text)).toEqual(expect.arrayContaining(stems));
  });

  it('the terms of an ideographic text contain the terms of every part of the text', () => {
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
        const terms = new Set(extractTerms(text));
        expect(extractTerms(part).filter((term) => !terms.has(term))).toEqual([]);
      }),
    );
  });

  it('extractTerms returns a name such as a.b/c and each word of the name, whatever surrounds the name', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}([._/@-][a-z0-9]{1,8}){0,3}$/);
    const around = fc.constantFrom(' ', '\n', ', ', ' (', ') ', '" ', '。', ' — ');
    fc.assert(
      fc.property(name, around, around, (text, before, after) => {
        const terms = new Set(extractTerms(`word${before}${text}${after}word`));
        expect(terms).toContain(text);
        for (const word of text.split(/[^a-z0-9]+/)) expect(terms).toContain(word);
      }),
    );
  });
});

describe('a text in any language', () => {
  it('the sample texts cover at least 50 languages in 20 scripts', () => {
    expect(new Set(TEXTS_IN_LANGUAGES.map(({ language }) => language)).size).toBeGreaterThanOrEqual(50);
    const scripts = new Set(TEXTS_IN_LANGUAGES.map(({ script }) => script));
    expect(scripts.size).toBeGreaterThanOrEqual(20);
    for (const { script, text } of TEXTS_IN_LANGUAGES) expect(text).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
  });

  it.each(TEXTS_IN_LANGUAGES)(
    'analyzeQueryTerms finds a text by the whole text, by the text in upper case, and by each word ($language)',
    ({ text }) => {
      const terms = new Set(extractTerms(text));
      for (const query of [text, text.toUpperCase(), ...splitIntoWords(text)]) {
        const asked = analyzeQueryTerms(query);
        expect(asked, query).not.toEqual([]);
        expect(
          asked.filter((term) => terms.has(term)),
          query,
        ).not.toEqual([]);
      }
    },
  );
});

describe('detectLanguage', () => {
  it.each([
    ['Wie lange gilt die Garantie für die Kamera?', 'de'],
    ['How long is the warranty?', 'en'],
    ['¿Cuánto dura la garantía de los productos?', 'es'],
    ['Quelle est la durée de la garantie ?', 'fr'],
    ['保修期是多久？', 'zh'],
    ['保証期間は何年ですか', 'ja'],
    ['보증 기간은?', 'ko'],
    ['ERR-42', undefined],
    ['', undefined],
  ])('detectLanguage detects the language of %j as %s', (text, expected) => {
    expect(detectLanguage(text)).toBe(expected);
  });
});

describe('analyzeQueryTerms', () => {
  it('analyzeQueryTerms omits stop words and returns stems', () => {
    expect(analyzeQueryTerms('What are the batteries of this camera made of?')).toEqual(['batteri', 'camera', 'made']);
    expect(analyzeQueryTerms('Wie heißen die Häuser, die nicht in der Stadt sind?')).toEqual([
      'heiss',
      'haus',
      'stadt',
    ]);
  });

  it('analyzeQueryTerms keeps the French word thé, although its form without the accent is an English stop word', () => {
    expect(analyzeQueryTerms('Combien coûte le thé glacé ?')).toContain('the');
    expect(analyzeQueryTerms('What does the café cost?')).not.toContain('the');
  });

  it('analyzeQueryTerms returns stop words if the query has no other words', () => {
    expect(analyzeQueryTerms('What was it about?')).not.toEqual([]);
  });

  it('analyzeQueryTerms returns the stems of every word in all languages if the language of the query is unclear', () => {
    expect(analyzeQueryTerms('Garantie Kameras')).toEqual(expect.arrayContaining(['garanti', 'kameras', 'kamera']));
  });

  it.each([
    ['Which houses have gardens with the trees?', 'The house has a garden. Behind it stands a tree.'],
    ['Welche Häuser haben einen Garten?', 'Das Haus ist mit vielen Gärten verbunden.'],
    ['What are the batteries of the Canary?', 'Der Canary wird mit einem Akku geliefert, der nicht fest verbaut ist.'],
    ['Was sind die Akkus der Canary?', 'The Canary is delivered with a battery that is built into it.'],
    ['kameras akkus', 'Die Kamera wird mit einem Akku geliefert, der nicht fest verbaut ist.'],
    ['Où sont les chevaux?', 'Le cheval est dans la prairie avec une vache.'],
    ['What does SKU-12/b cost?', 'Le SKU-12/b est dans la boîte pour les clients.'],
  ])('analyzeQueryTerms returns terms for %j that match other forms of the words in a text', (query, text) => {
    const terms = new Set(extractTerms(text));
    expect(analyzeQueryTerms(query).filter((term) => terms.has(term)).length).toBeGreaterThanOrEqual(1);
  });

  it('analyzeQueryTerms of a text returns only terms that extractTerms of the same text returns', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const terms = extractTerms(text);
        const asked = analyzeQueryTerms(text);
        expect(asked.length === 0).toBe(terms.length === 0);
        for (const term of asked) expect(terms).toContain(term);
      }),
    );
  });

  it('analyzeQueryTerms returns at most a thousand terms', () => {
    const text = Array.from({ length: 5_000 }, (_, at) => `w${String(at)}`).join(' ');
    expect(analyzeQueryTerms(text)).toEqual(extractTerms(text).slice(0, 1_000));
  });
});

describe('weighQueryTerms', () => {
  it('weighQueryTerms returns the same terms for a query, regardless of the languages of earlier queries', () => {
    const listTerms = (code: string): readonly string[] => [...weighQueryTerms('running', [code]).keys()];
    const [german, english] = [listTerms('de'), listTerms('en')];
    expect(english).toContain('run');
    expect(german).not.toEqual(english);
    expect([listTerms('de'), listTerms('en')]).toEqual([german, english]);
  });

  it('weighQueryTerms returns stems with weight 0.75, and the unchanged words with weight 0.25', () => {
    expect(weighQueryTerms('Wo finde ich die Rechnungen für das Café?')).toEqual(
      new Map([
        ['find', 0.75],
        ['rechnung', 0.75],
        ['finde', 0.25],
        ['rechnungen', 0.25],
        ['cafe', 0.875],
        ['café', 0.125],
      ]),
    );
  });

  it('weighQueryTerms gives a Vietnamese word with accents more weight than the word without accents', () => {
    expect(weighQueryTerms('Quán cà phê này ở đâu?')).toEqual(
      new Map([
        ['quán', 0.875],
        ['quan', 0.125],
        ['cà', 0.875],
        ['ca', 0.125],
        ['phê', 0.875],
        ['phe', 0.125],
      ]),
    );
  });

  it.each([
    ['kitchen cabinets', ['en'], ['kitchen', 'cabinet', 'cabinets']],
    ['offene Küchen', ['de'], ['off', 'offene', 'kuch', 'kuchen', 'küchen']],
    ['kitchen cabinets', ['en', 'de'], ['kitchen', 'kitch', 'cabinet', 'cabinets']],
    ['kitchen cabinets', ['zh'], ['kitchen', 'cabinet', 'cabinets']],
    ['quán đẹp', ['en', 'vi'], ['quán', 'quan', 'đẹp', 'dep']],
    ['Which houses have gardens and where are they?', ['de'], ['hous', 'houses', 'garden', 'gardens']],
    ['Ankara’da kitaplar', ['tr'], ['ankar', 'ankara', 'kitap', 'kitaplar']],
  ])(
    'weighQueryTerms returns the words of the query %j and their stems in the document languages %j',
    (query, languages, terms) => {
      expect(Array.from(weighQueryTerms(query, languages).keys()).toSorted()).toEqual(terms.toSorted());
    },
  );

  it('if a query is clearly in one of the documents’ languages, weighQueryTerms returns stems of only this language', () => {
    const query = 'Wo finde ich die Rechnungen für das Auto?';
    expect(weighQueryTerms(query, ['de', 'en'])).toEqual(weighQueryTerms(query));
  });

  it('weighQueryTerms omits stop words of a query in another language, and adds stems of the documents’ languages', () => {
    const terms = weighQueryTerms('Wo finde ich die Batteries für das Auto?', ['en']);
    expect([...terms.keys()]).toEqual(expect.arrayContaining(['batteri', 'batteries', 'auto']));
    expect([...terms.keys()]).not.toEqual(expect.arrayContaining(['fur']));
    expect([...terms.keys()]).not.toEqual(expect.arrayContaining(['das']));
  });

  it('weighQueryTerms keeps words that are stop words only in languages that no document has', () => {
    expect([...weighQueryTerms('son die casting', ['en']).keys()]).toEqual(expect.arrayContaining(['son', 'die']));
  });

  it.each([
    ["What is the company's address?", [], ['company', 'address']],
    ["Où est la source de l'eau ?", [], ['source', 'eau']],
  ])(
    'weighQueryTerms omits a function word or a suffix that an apostrophe separates from a word: %j',
    (query, languages, words) => {
      const terms = [...weighQueryTerms(query, languages).keys()];
      expect(terms).toEqual(expect.arrayContaining(words));
      for (const term of ['s', 'l', 'companys', 'leau']) expect(terms).not.toContain(term);
    },
  );

  it('weighQueryTerms gives weight 1 to names, characters and words with a single form', () => {
    expect(weighQueryTerms('東京 SKU-12')).toEqual(
      new Map(['東', '京', '東京', 'sku', '12', 'sku-12'].map((term) => [term, 1])),
    );
  });

  it('weighQueryTerms adds up the weights of repeated words', () => {
    expect(weighQueryTerms('東 SKU-12 東')).toEqual(new Map(Object.entries({ 東: 2, sku: 1, 12: 1, 'sku-12': 1 })));
  });

  it('weighQueryTerms returns every term of analyzeQueryTerms, with weights that are multiples of WEIGHT_STEP', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const weights = weighQueryTerms(text);
        for (const term of analyzeQueryTerms(text)) expect(weights.has(term)).toBe(true);
        for (const weight of weights.values()) expect(weight % WEIGHT_STEP).toBe(0);
      }),
    );
  });

  it.each([
    ['Wo finde ich die Häuser?', ['die', 'haus', 'am', 'see', 'hauser']],
    ['Where are the batteries?', ['the', 'batteries', 'batteri', 'work', 'works']],
    ['quán cà phê', ['quan', 'ca', 'phe']],
  ])('the terms of the query %j match terms that an earlier version of the analysis stored', (query, earlier) => {
    expect(Array.from(weighQueryTerms(query).keys()).filter((term) => earlier.includes(term))).not.toEqual([]);
  });
});

describe('analyzeQueryForExplanation', () => {
  it('analyzeQueryForExplanation returns the languages of a query, and each term once, without stop words', () => {
    expect(analyzeQueryForExplanation('Which cameras have the best camera?')).toEqual({
      terms: analyzeQueryTerms('Which cameras have best'),
      languages: ['en'],
    });
    expect(analyzeQueryForExplanation('Wie lange gilt die Garantie für mein Gerät?').languages).toEqual(['de']);
  });
});

describe('countQueryWords', () => {
  it('countQueryWords counts each word once, even if the word is repeated or has several stems, and ignores stop words', () => {
    expect(countQueryWords('Garantie Kameras Garantie')).toBe(2);
    expect(countQueryWords('What are the batteries of this camera made of?')).toBe(3);
    expect(countQueryWords('…')).toBe(0);
  });
});

describe('countTerms', () => {
  it('countTerms returns the number of occurrences of each term', () => {
    expect(countTerms(['a', 'b', 'a'])).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
  });
});

/** Returns a list of one element, the word without accents. The list is empty if the word consists of accents. */
function listWordWithoutAccents(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  return plain === '' ? [] : [plain];
}
