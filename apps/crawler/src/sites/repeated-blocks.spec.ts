import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RepeatedBlocks } from './repeated-blocks.js';

const NOTICE = 'The office is closed in August.';
const buildPage = (n: number, ...others: readonly string[]): string =>
  [`# Page ${n}`, `Page ${n} is about the pump with the number ${n} and its seals.`, ...others].join('\n\n');

function removeAllRepetitions(pages: readonly string[]): readonly string[] {
  const repeated = new RepeatedBlocks();
  return pages.map((page) => repeated.removeRepetitions(page));
}

describe('RepeatedBlocks', () => {
  it('RepeatedBlocks keeps a repeated block on the first four pages, and removes the block from later pages', () => {
    const pages = Array.from({ length: 7 }, (_, n) => buildPage(n, NOTICE));
    expect(removeAllRepetitions(pages).map((page) => page.includes(NOTICE))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(removeAllRepetitions(pages).at(-1)).toBe(buildPage(6));
  });

  it('RepeatedBlocks keeps a block that occurs on less than 30 % of the pages', () => {
    const pages = Array.from({ length: 40 }, (_, n) => (n % 4 === 3 ? buildPage(n, NOTICE) : buildPage(n)));
    expect(removeAllRepetitions(pages)).toEqual(pages);
  });

  it.each([
    ['a heading', '## Parameters'],
    ['a table', '| Name | Value |\n| --- | --- |\n| a | 1 |'],
    ['code', '```\npump --start\n\npump --stop\n```'],
    ['a quotation', '> Pumps are loud.'],
    ['a continued list item', '    of the same list item'],
  ])('RepeatedBlocks keeps %s that repeats on many pages', (_, block) => {
    const pages = Array.from({ length: 8 }, (_page, n) => buildPage(n, block));
    expect(removeAllRepetitions(pages)).toEqual(pages);
  });

  it('RepeatedBlocks does not change pages that would lose more than half of their text', () => {
    const pages = Array.from({ length: 8 }, (_, n) => `# Version ${n}\n\n${NOTICE}\n\n${NOTICE.repeat(9)}`);
    expect(removeAllRepetitions(pages)).toEqual(pages);
  });

  it('RepeatedBlocks counts a block only once per page, even if the page contains it twice', () => {
    const pages = Array.from({ length: 4 }, (_, n) => buildPage(n, NOTICE, 'Between.', NOTICE));
    expect(removeAllRepetitions(pages)).toEqual(pages);
  });

  it('RepeatedBlocks keeps code with a longer end fence, and code without an end fence, as one block', () => {
    const pages = Array.from({ length: 8 }, (_, n) => buildPage(n, '```\na\n\nb\n`````', '```sh\nc\n\nd'));
    expect(removeAllRepetitions(pages)).toEqual(pages);
  });

  it('RepeatedBlocks reads many sequences of backticks in linear time, and keeps inline code in its paragraph', () => {
    const inlineCode = '``` a `` b ```';
    const paragraphs = Array.from({ length: 100_000 }, () => inlineCode);
    const page = buildPage(1, ...paragraphs, '`'.repeat(20_000), 'The end.');
    expect(removeAllRepetitions([page])).toEqual([page]);
    const pages = Array.from({ length: 8 }, (_, n) => buildPage(n, `${inlineCode}\n\n${NOTICE}`, '```'));
    expect(removeAllRepetitions(pages).at(-1)).not.toContain(NOTICE);
  });

  it('RepeatedBlocks returns the remaining blocks of each page in their order', () => {
    const block = fc.constantFrom('A.', 'B b.', '# C', '- d\n- e', '| f |', '```\ng\n\nh\n```');
    const pages = fc.array(fc.array(block, { maxLength: 6 }), { maxLength: 30 });
    fc.assert(
      fc.property(pages, (all) => {
        const results = removeAllRepetitions(all.map((blocks) => blocks.join('\n\n')));
        results.forEach((result, at) => {
          let rest: readonly string[] = all[at] ?? [];
          for (const part of result === '' ? [] : result.split(/\n\n(?!h)/)) {
            expect(rest).toContain(part);
            rest = rest.slice(rest.indexOf(part) + 1);
          }
        });
      }),
    );
  });
});
