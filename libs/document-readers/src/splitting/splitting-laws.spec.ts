import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getMaxOverlapTokens } from '@quarry/text-analysis/overlap';
import { countTokens, measureTokenOverlap } from '@quarry/text-analysis/tokens';
import type { Block } from '../readers/block.js';
import type { TextRectangle } from '../readers/text-rectangle.js';
import { createBlock, getUnrepeatedText, splitBlocks } from '../testing/split-blocks.js';

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom(
    'the',
    'warranty',
    'ends.',
    'Why?',
    '保証',
    '期間。',
    'Straße',
    '\n',
    '\n- item',
    '🙂',
    ' | ',
    '1.',
    '  ',
  ),
);
const prose = fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => words.join(' ').trim());
const path = fc.array(fc.constantFrom('One', 'Two', 'Three'), { maxLength: 2 });
const anyBlock: fc.Arbitrary<Block> = fc
  .record({
    kind: fc.constantFrom('heading' as const, 'text' as const, 'list' as const, 'table' as const, 'code' as const),
    text: prose,
    headingPath: path,
    page: fc.constantFrom(null, 1, 2),
    location: fc.constantFrom(null, 'sheet A', 'sheet B'),
    headerLines: fc.integer({ min: 0, max: 2 }),
    firstRow: fc.integer({ min: 1, max: 9 }),
  })
  .filter((made) => made.text !== '');
const documents = fc.array(anyBlock, { maxLength: 12 });
const limits = fc.record({
  maxTokens: fc.integer({ min: 32, max: 200 }),
  overlapTokens: fc.integer({ min: 0, max: 100 }),
});

const removeWhiteSpace = (text: string): string => text.replace(/\s+/g, '');

describe('the properties of the splitter', () => {
  it('the fragments, without their repeated text, contain the text of all blocks exactly once, in order', () => {
    fc.assert(
      fc.property(documents, limits, (blocks, { maxTokens, overlapTokens }) => {
        const fragments = splitBlocks(blocks, maxTokens, overlapTokens);
        expect(removeWhiteSpace(fragments.map(getUnrepeatedText).join(''))).toBe(
          removeWhiteSpace(blocks.map(({ text }) => text).join('')),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('each fragment has at most the maximum number of tokens, and states its number of tokens', () => {
    fc.assert(
      fc.property(documents, limits, (blocks, { maxTokens, overlapTokens }) => {
        for (const fragment of splitBlocks(blocks, maxTokens, overlapTokens)) {
          expect(fragment.tokens).toBeLessThanOrEqual(maxTokens);
          expect(fragment.tokens).toBe(countTokens(fragment.text));
          expect(fragment.text).not.toBe('');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('each fragment adds new text, and repeats only text of earlier fragments', () => {
    fc.assert(
      fc.property(documents, limits, (blocks, { maxTokens, overlapTokens }) => {
        const fragments = splitBlocks(blocks, maxTokens, overlapTokens);
        for (const [index, fragment] of fragments.entries()) {
          expect(getUnrepeatedText(fragment).trim()).not.toBe('');
          const repeated = removeWhiteSpace(fragment.text.slice(0, fragment.repeated));
          if (repeated === '') continue;
          // The previous fragment usually contains the repeated text. If that fragment has no room for the header of
          // its table, an earlier fragment contains the header.
          const before = fragments.slice(0, index).map(({ text }) => removeWhiteSpace(text));
          expect(before.some((text) => text.includes(repeated))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    { maxTokens: 512, overlapTokens: 64 },
    { maxTokens: 256, overlapTokens: 32 },
    { maxTokens: 128, overlapTokens: 64 },
    { maxTokens: 128, overlapTokens: 0 },
  ])('measureTokenOverlap finds the repeated text of each fragment of prose with the settings %j', (splitting) => {
    const { maxTokens, overlapTokens } = splitting;
    for (const sentences of PROSE) {
      // Repeats each sentence with other numbers, so that the borders of fragments are at different places in it.
      const text = Array.from({ length: 400 }, (_, at) => `${sentences[(at * at) % sentences.length]}${at}. `).join('');
      const fragments = splitBlocks([createBlock('text', text.trim())], maxTokens, overlapTokens);
      for (const [index, fragment] of fragments.entries()) {
        const before = fragments[index - 1]?.text ?? '';
        const measured = measureTokenOverlap(before, fragment.text, getMaxOverlapTokens(splitting));
        expect(fragment.text.slice(0, measured).trim()).toBe(fragment.text.slice(0, fragment.repeated).trim());
      }
    }
  });

  it('the splitter cuts a table row only if the row exceeds the maximum number of tokens', () => {
    const row = fc
      .array(fc.constantFrom('price', '4.50', '保証', 'a longer cell of words', 'Straße'), {
        minLength: 1,
        maxLength: 30,
      })
      .map((cells) => `| ${cells.join(' | ')} |`);
    const table = fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 20 }),
      header: fc.constantFrom(0, 2),
    });
    fc.assert(
      fc.property(table, limits, ({ rows, header }, { maxTokens, overlapTokens }) => {
        const lines = [...(header === 0 ? [] : ['| Name | Price |', '|---|---|']), ...rows];
        const fragments = splitBlocks(
          [createBlock('table', lines.join('\n'), { headerLines: header })],
          maxTokens,
          overlapTokens,
        );
        const found = new Set(fragments.flatMap(({ text }) => text.split('\n')));
        // The separator between two blocks can cost two tokens on each side.
        for (const line of rows) if (countTokens(line) <= maxTokens - 4) expect(found).toContain(line);
      }),
      { numRuns: 300 },
    );
  });

  it('the fragments of a text without spaces, except the last one, are on average at least 40 % full', () => {
    const scripts = [
      ['保証期間客戶服務購入日修理無料', '。'],
      ['ほしょうきかんカスタマーサービス', '。'],
      ['การรับประกันมีระยะเวลาสองปี', ' '],
      ['ការធានាមានរយៈពេលពីរឆ្នាំ', '។'],
    ] as const;
    const sentence = fc
      .constantFrom(...scripts)
      .chain(([letters, end]) =>
        fc
          .array(fc.constantFrom(...new Intl.Segmenter().segment(letters)), { minLength: 4, maxLength: 20 })
          .map((graphemes) => graphemes.map(({ segment }) => segment).join('') + end),
      );
    const text = fc.array(sentence, { minLength: 30, maxLength: 60 }).map((all) => all.join('').trim());
    fc.assert(
      fc.property(text, limits, (given, { maxTokens, overlapTokens }) => {
        const fragments = splitBlocks([createBlock('text', given)], maxTokens, overlapTokens);
        expect(removeWhiteSpace(fragments.map(getUnrepeatedText).join(''))).toBe(removeWhiteSpace(given));
        for (const { tokens } of fragments) expect(tokens).toBeLessThanOrEqual(maxTokens);
        const filled = fragments.slice(0, -1).reduce((sum, { tokens }) => sum + tokens, 0);
        expect(filled).toBeGreaterThanOrEqual((fragments.length - 1) * maxTokens * 0.4);
      }),
      { numRuns: 200 },
    );
  });

  it('the splitter cuts no surrogate pair', () => {
    fc.assert(
      fc.property(documents, limits, (blocks, { maxTokens, overlapTokens }) => {
        for (const fragment of splitBlocks(blocks, maxTokens, overlapTokens))
          expect(fragment.text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('if the splitter splits the same blocks twice, it yields the same fragments', () => {
    fc.assert(
      fc.property(documents, limits, (blocks, { maxTokens, overlapTokens }) => {
        expect(splitBlocks(blocks, maxTokens, overlapTokens)).toEqual(splitBlocks(blocks, maxTokens, overlapTokens));
      }),
    );
  });

  it('each fragment has the rectangles of its words, and the page of its first new word', () => {
    const kinds = fc.constantFrom('heading' as const, 'text' as const, 'list' as const, 'table' as const);
    const shapes = fc.array(fc.record({ kind: kinds, words: fc.integer({ min: 1, max: 150 }) }), { maxLength: 8 });
    fc.assert(
      fc.property(shapes, limits, (made, { maxTokens, overlapTokens }) => {
        for (const fragment of splitBlocks(createBlocksWithRectangles(made), maxTokens, overlapTokens)) {
          const words = findWords(fragment.text);
          const pageWords = Array.from(
            { length: fragment.rectangles.length / 5 },
            (_, index) => fragment.rectangles[index * 5 + 1],
          );
          // In a fragment with more than 64 lines, several lines share a rectangle.
          if (words.length <= 64) expect(pageWords).toEqual([...new Set(words)]);
          expect(fragment.page).toBe(
            1 + Math.floor((findWords(getUnrepeatedText(fragment))[0] ?? NaN) / WORDS_PER_PAGE),
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

const PROSE = [
  [
    'Die Überprüfung der Maschinen findet wöchentlich statt, zuletzt unter der Nummer ',
    'Rechnungen über 500 € brauchen zwei Unterschriften und die Nummer ',
    'Mitarbeitende melden Störungen unverzüglich der Schichtleitung unter ',
    'Ersatzteile bestellt ausschließlich der Einkauf, siehe ',
  ],
  [
    'The workshop opens at nine, as configured in https://example.com/x and on the page ',
    'Quarterly reports (see note) need two signatures and the internationalised form ',
    'Return the borrowed machine by ',
  ],
  ['断片は重なりを持つことがあります。長い文は途中で切られます', '知識ベースの検索は文書を断片に分けて比較します'],
];

const WORDS_PER_PAGE = 40;

/**
 * Creates blocks of numbered words, with `WORDS_PER_PAGE` words per page. Each word has a line of its own, so that no
 * rectangles are joined. `left` of a rectangle is the number of the word.
 */
function createBlocksWithRectangles(
  shapes: readonly { readonly kind: Block['kind']; readonly words: number }[],
): readonly Block[] {
  let number = 0;
  return shapes.map(({ kind, words }) => {
    const page = 1 + Math.floor(number / WORDS_PER_PAGE);
    const rectangles: TextRectangle[] = [];
    let text = '';
    for (let index = 0; index < words; index += 1) {
      const separator = index === 0 ? '' : index % 7 === 0 ? '.\n' : ' ';
      const start = text.length + separator.length;
      text += `${separator}w${number}`;
      const rectangle = { page: 1 + Math.floor(number / WORDS_PER_PAGE), line: number };
      rectangles.push({ ...rectangle, start, end: text.length, left: number, right: number + 1, top: 0, bottom: 1 });
      number += 1;
    }
    return createBlock(kind, text, { page, rectangles, headerLines: kind === 'table' ? 1 : 0 });
  });
}

function findWords(text: string): readonly number[] {
  return Array.from(text.matchAll(/w(\d+)/g), ([, number]) => Number(number));
}
