import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoSentences } from './sentences.js';

function listTexts(passage: string): string[] {
  return splitIntoSentences(passage).map(({ text }) => text);
}

describe('splitting a passage into sentences', () => {
  it('splitIntoSentences finds sentences across line breaks, in any language', () => {
    expect(listTexts('The warranty lasts\ntwo years. It covers\nwater.')).toEqual([
      'The warranty lasts two years.',
      'It covers water.',
    ]);
    expect(listTexts('保証は二年間です。水濡れも対象です。')).toEqual(['保証は二年間です。', '水濡れも対象です。']);
  });

  it('splitIntoSentences splits after a number before a capital letter in English text, but not after an ordinal in German text', () => {
    expect(listTexts('The museum opens on 3. Tickets cost 30. Children of the staff pay 12.')).toHaveLength(3);
    expect(listTexts('Das Gasthaus öffnet am 3. Oktober 2026. Der Vertrag endet am 30. Juni 2031.')).toEqual([
      'Das Gasthaus öffnet am 3. Oktober 2026.',
      'Der Vertrag endet am 30. Juni 2031.',
    ]);
    expect(listTexts('Der 1. FC Köln gewann.')).toHaveLength(1);
  });

  it('splitIntoSentences does not treat a line of a paragraph that starts with an ordinal as a list item', () => {
    expect(listTexts('Das Gasthaus öffnet am\n3. Oktober 2026.')).toEqual(['Das Gasthaus öffnet am 3. Oktober 2026.']);
    expect(listTexts('Steps:\n1. Open it.\n2. Close it.\n\n7. Wait.')).toEqual([
      ...['Steps:', 'Open it.', 'Close it.', 'Wait.'],
    ]);
  });

  it.each([
    ['a short line', 'Contact\n12. Notices shall be sent to Acme.', ['Contact', 'Notices shall be sent to Acme.']],
    ['a complete sentence', 'The phases are below.\n2. Close it.', ['The phases are below.', 'Close it.']],
    ['a line before `4)`', 'Continue with these steps\n4) Close it.', ['Continue with these steps', 'Close it.']],
  ])('splitIntoSentences reads a numbered line after %s as a list item', (_, text, expected) => {
    expect(listTexts(text)).toEqual(expected);
  });

  it('splitIntoSentences does not split after an initial or a short abbreviation', () => {
    expect(listTexts('Motions in Frame v. Globex (W.D. Wash.) were denied.')).toHaveLength(1);
    expect(listTexts('It was built by Dr. J. Smith in 1900. It burnt down.')).toEqual([
      'It was built by Dr. J. Smith in 1900.',
      'It burnt down.',
    ]);
  });

  it('splitIntoSentences returns the headings, list items and table rows of Markdown without their markup', () => {
    const passage =
      '## Prices ##\n\n| plan | price |\n|---|---|\n| Pro | 20 € |\n\nAlso:\n- one\n  more\n- two\n1. three';
    expect(splitIntoSentences(passage)).toEqual([
      { text: 'Prices', kind: 'heading', isLeadIn: true, isLine: true },
      { text: 'plan: Pro; price: 20 €', kind: 'row', subject: 'Pro', isLeadIn: false, isLine: true },
      { text: 'Also:', kind: 'prose', isLeadIn: true, isLine: true },
      { text: 'one more', kind: 'item', isLeadIn: false, isLine: true },
      { text: 'two', kind: 'item', isLeadIn: false, isLine: true },
      { text: 'three', kind: 'item', isLeadIn: false, isLine: true },
    ]);
  });

  it('splitIntoSentences classifies a short line without markup as a heading if a sentence follows, and as prose if another such line follows', () => {
    const listKinds = (passage: string): string[] => splitIntoSentences(passage).map(({ kind }) => kind);
    expect(listKinds('Opening hours\n\nWe open at nine.')).toEqual(['heading', 'prose']);
    expect(listKinds('Stop a run\n\nTo stop a run, send this:\n\ncurl $api/runs').at(0)).toBe('heading');
    expect(listKinds('Opening hours 9 to 17\n\nPhone 555 0100')).toEqual(['prose', 'prose']);
  });

  it('splitIntoSentences returns consecutive lines of code as one unit, with and without a Markdown fence', () => {
    const commands = 'sh backup.sh /backups   # writes a copy\nsh restore.sh /backups   # reads it';
    expect(splitIntoSentences(`Run this:\n\n${commands}`)).toMatchObject([
      { text: 'Run this:', kind: 'prose' },
      { text: commands, kind: 'code' },
    ]);
    expect(splitIntoSentences('```sh\nnpm start\nnpm test\n```')).toMatchObject([
      { text: 'npm start\nnpm test', kind: 'code' },
    ]);
  });

  it('splitIntoSentences removes bold markup and the addresses of relative links', () => {
    expect(
      listTexts(
        '**Ports are open.** See [the manual](manual.md#ports) and [this list](https://example.com/a) for all of them.',
      ),
    ).toEqual(['Ports are open.', 'See the manual and [this list](https://example.com/a) for all of them.']);
  });

  it.each([
    ['a heading with many spaces', `# Prices${' '.repeat(1_000_000)}x`, 7],
    ['many opening square brackets', '['.repeat(1_000_000), 1_000_000],
    ['many unclosed links', '[a]('.repeat(400_000), 1_600_000],
    ['many unclosed bold words', '**a '.repeat(300_000), 900_000],
    ['many initials', 'A. '.repeat(250_000), 500_000],
  ])('splitIntoSentences splits %s in linear time, without removing text', (_, text, count) => {
    expect(listTexts(text).join('').replaceAll(' ', '')).toHaveLength(count);
  });

  it.each(['How long is it?', '保証は何年ですか？', 'كم المدة؟', 'Hours:'])(
    'splitIntoSentences sets `isLeadIn` for %j, because the text ends with a question mark or a colon',
    (text) => {
      expect(splitIntoSentences(text)[0]?.isLeadIn).toBe(true);
    },
  );

  it('splitIntoSentences splits text without full stops into parts of at most 600 characters', () => {
    const parts = listTexts('word '.repeat(300));
    expect(parts.every((part) => part.length <= 600)).toBe(true);
    expect(parts.join(' ')).toBe('word '.repeat(300).trim());
  });

  it('splitIntoSentences returns every word of plain text, in order, without splitting surrogate pairs', () => {
    const word = fc.constantFrom('one', 'Two', 'three.', '四。', '🙂', 'St.', 'five?', '🙂'.repeat(450));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const found = listTexts(words.join(' '));
        expect(found.join('').replace(/\s/g, '')).toBe(words.join(''));
        expect(found.every((text) => text.isWellFormed())).toBe(true);
      }),
    );
  });

  it('splitIntoSentences returns each line with cells between bars and a number as a table row', () => {
    const rows = splitIntoSentences('Research | $ 2,040 | 12 %\nSales | (622) | 5 %');
    expect(rows.map(({ kind, text }) => [kind, text])).toEqual([
      ['row', 'Research | $ 2,040 | 12 %'],
      ['row', 'Sales | (622) | 5 %'],
    ]);
  });
});
