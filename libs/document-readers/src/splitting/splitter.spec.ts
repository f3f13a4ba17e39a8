import { describe, expect, it } from 'vitest';
import type { Block } from '../readers/block.js';
import { createBlock, getUnrepeatedText, NAME, splitBlocks } from '../testing/split-blocks.js';

function createHeading(...path: readonly string[]): Block {
  return createBlock('heading', path.at(-1) ?? '', { headingPath: path, level: path.length });
}

const createSentences = (count: number, of = 'sentence'): string =>
  Array.from({ length: count }, (_, index) => `This is ${of} number ${index} of the text.`).join(' ');

describe('Splitter', () => {
  it('the splitter keeps a short document in one fragment', () => {
    expect(splitBlocks([createBlock('text', 'One.'), createBlock('text', 'Two.')])).toEqual([
      { text: 'One.\n\nTwo.', context: NAME, page: null, location: null, rectangles: [], tokens: 4, repeated: 0 },
    ]);
  });

  it('the splitter starts a fragment at a heading if the previous fragment is long enough, and sets the headings of each fragment as its context', () => {
    const fragments = splitBlocks([
      createHeading('Guide'),
      createBlock('text', createSentences(3), { headingPath: ['Guide'] }),
      createHeading('Guide', 'Install'),
      createBlock('text', createSentences(2), { headingPath: ['Guide', 'Install'] }),
    ]);
    expect(fragments.map((fragment) => fragment.context)).toEqual([`${NAME} › Guide`, `${NAME} › Guide › Install`]);
    expect(fragments[1]?.text).toMatch(/^Install\n\nThis is sentence number 0/);
    expect(fragments[1]?.repeated).toBe(0);
  });

  it('the splitter merges short sections into one fragment, whose context has only the headings that they share', () => {
    const fragments = splitBlocks([
      createHeading('FAQ'),
      createHeading('FAQ', 'Who?'),
      createBlock('text', 'We.', { headingPath: ['FAQ', 'Who?'] }),
      createHeading('FAQ', 'Where?'),
      createBlock('text', 'Here.', { headingPath: ['FAQ', 'Where?'] }),
    ]);
    expect(fragments).toHaveLength(1);
    expect(fragments[0]).toMatchObject({ text: 'FAQ\n\nWho?\n\nWe.\n\nWhere?\n\nHere.', context: `${NAME} › FAQ` });
  });

  it('the splitter sets the location of a fragment to the range of the JSON pointers of its blocks', () => {
    const blocks = ['/a/0', '/a/1'].map((pointer) => createBlock('table', `id: ${pointer}`, { pointer }));
    expect(splitBlocks([...blocks]).map(({ location }) => location)).toEqual(['/a/0 – /a/1']);
    expect(splitBlocks(blocks.slice(1)).map(({ location }) => location)).toEqual(['/a/1']);
  });

  it('the splitter never ends a fragment with a heading', () => {
    const fragments = splitBlocks([
      createBlock('text', createSentences(1)),
      createHeading('Next'),
      createBlock('text', createSentences(12), { headingPath: ['Next'] }),
    ]);
    expect(fragments.length).toBeGreaterThan(1);
    for (const fragment of fragments) expect(fragment.text).not.toMatch(/Next$/);
  });

  it.each(['list', 'table', 'code'] as const)(
    'the splitter puts a %s into the same fragment as the sentence that introduces it',
    (kind) => {
      const lines = '- an item of it\n'.repeat(5).trim();
      const fragments = splitBlocks([
        createBlock('text', createSentences(5)),
        createBlock('text', 'It has these parts:'),
        createBlock(kind, lines),
      ]);
      expect(fragments.at(-1)?.text).toBe(`It has these parts:\n\n${lines}`);
    },
  );

  it('the splitter separates an introduction from the next block if that block fills a fragment or is in another section', () => {
    const texts = [createBlock('text', createSentences(5)), createBlock('text', 'It has these parts:')];
    const whole = createBlock('code', 'line(); '.repeat(29).trim());
    expect(splitBlocks([...texts, whole]).at(-1)?.text).toBe(whole.text);
    const other = createBlock('list', '- an item of it\n'.repeat(5).trim(), { headingPath: ['Other'] });
    expect(splitBlocks([...texts, other]).at(-1)?.text).toBe(other.text);
  });

  it('the splitter cuts long text between sentences, and begins each new fragment with whole sentences of the previous fragment', () => {
    const fragments = splitBlocks([createBlock('text', createSentences(20))]);
    expect(fragments.length).toBeGreaterThan(3);
    for (const fragment of fragments) expect(fragment.text).toMatch(/^This is .*text\.$/);
    for (const fragment of fragments.slice(1)) expect(fragment.text.slice(0, fragment.repeated)).toMatch(/^This .*\.$/);
  });

  it('the splitter cuts long text neither after an ordinal number nor inside of a reference mark', () => {
    const sentence = 'Das Gasthaus an der Brücke öffnet am 3. Oktober.[20]';
    const text = Array.from({ length: 20 }, () => sentence).join(' ');
    const fragments = splitBlocks([createBlock('text', text)], 64, 0);
    expect(fragments.length).toBeGreaterThan(3);
    for (const fragment of fragments) expect(fragment.text.replaceAll(sentence, '').trim()).toBe('');
  });

  it('the splitter adds no overlap after a heading, a table, code or a change of location', () => {
    const long = createSentences(5);
    const cases: readonly (readonly Block[])[] = [
      [createBlock('text', long), createHeading('H'), createBlock('text', long, { headingPath: ['H'] })],
      [createBlock('text', long), createBlock('code', 'line();\n'.repeat(20).trim()), createBlock('text', long)],
      [createBlock('text', long), createBlock('table', '| a |\n'.repeat(20).trim()), createBlock('text', long)],
      [createBlock('text', long, { location: 'slide 1' }), createBlock('text', long, { location: 'slide 2' })],
    ];
    for (const blocks of cases) {
      const fragments = splitBlocks(blocks);
      expect(fragments.length).toBeGreaterThan(1);
      const second = fragments.filter((fragment) => fragment.repeated > 0);
      // Overlap occurs only within one of the two long texts, never between them.
      for (const fragment of second) expect(fragment.text.slice(0, fragment.repeated)).not.toContain('number 0');
    }
  });

  it('the splitter cuts a table between rows, repeats the header in each fragment, and sets the location to the range of rows', () => {
    const header = '| name | price |\n|---|---|';
    const rows = Array.from({ length: 30 }, (_, index) => `| thing ${index + 2} | ${index}.99 |`);
    const fragments = splitBlocks([
      createBlock('table', [header, ...rows].join('\n'), { location: 'sheet Prices', headerLines: 2, firstRow: 2 }),
    ]);
    expect(fragments.length).toBeGreaterThan(3);
    for (const fragment of fragments) {
      expect(fragment.text.startsWith(header)).toBe(true);
      const lines = fragment.text.slice(header.length).trim().split('\n');
      for (const line of lines) expect(rows).toContain(line);
      const [first] = lines;
      const number = first?.match(/thing (\d+)/)?.[1] ?? '';
      expect(fragment.location).toBe(`sheet Prices, rows ${number}–${Number(number) + lines.length - 1}`);
    }
    expect(fragments.at(-1)?.location).toMatch(/–31$/);
  });

  it('the splitter cuts a table row between words if the row exceeds the maximum number of tokens', () => {
    const table = `| a |\n|---|\n| short |\n| ${'word '.repeat(200)}|\n| end |`;
    const fragments = splitBlocks([createBlock('table', table, { headerLines: 2, firstRow: 2 })]);
    expect(fragments.every((fragment) => fragment.tokens <= 64)).toBe(true);
    expect(fragments.at(-1)?.location).toMatch(/4$/);
    expect(fragments[1]?.location).toBe('row 3');
  });

  it('the splitter counts the rows of a table below its header, also if the header is too long to be repeated', () => {
    const header = Array.from({ length: 40 }, (_, index) => `column ${index}`).join(' | ');
    const rows = ['first', 'second', 'third'].map((row) => `${row} ${'word '.repeat(25)}`);
    const table = [header, '---', ...rows].join('\n');
    const fragments = splitBlocks([createBlock('table', table, { headerLines: 2, firstRow: 2 })]);
    expect(fragments.flatMap(({ location }) => location ?? [])).toEqual(['rows 2–3', 'rows 3–4']);
  });

  it('a heading at the end of a location does not move to the next location', () => {
    const blocks = [
      createBlock('text', 'One.', { page: 1 }),
      createBlock('heading', 'Thank you', { page: 3 }),
      createBlock('text', 'Comment by Ada: why?', { page: 1, location: 'comments' }),
    ];
    expect(splitBlocks(blocks).map(({ text, location, page }) => ({ text, location, page }))).toEqual([
      { text: 'One.\n\nThank you', location: null, page: 1 },
      { text: 'Comment by Ada: why?', location: 'comments', page: 1 },
    ]);
  });

  it('the splitter does not repeat a table header that would fill half of every fragment', () => {
    const header = Array.from({ length: 40 }, (_, index) => `column ${index}`).join(' | ');
    const fragments = splitBlocks([createBlock('table', `${header}\nx\ny\nz`, { headerLines: 1 })]);
    expect(fragments.filter((fragment) => fragment.text.includes('column 0 '))).toHaveLength(1);
  });

  it('the splitter cuts code between lines, and keeps the indentation of the code', () => {
    const code = Array.from({ length: 30 }, (_, index) => `    call(${index});`).join('\n');
    const fragments = splitBlocks([createBlock('code', code)]);
    expect(fragments.length).toBeGreaterThan(2);
    expect(fragments.map((fragment) => fragment.text).join('\n')).toBe(code);
  });

  it('the splitter cuts a list between its outermost items', () => {
    const items = Array.from(
      { length: 12 },
      (_, index) => `- item ${index}\n  - inner of ${index}\n  - another of ${index}`,
    );
    const fragments = splitBlocks([createBlock('list', items.join('\n'))], 64, 0);
    expect(fragments.length).toBeGreaterThan(2);
    for (const fragment of fragments) expect(fragment.text).toMatch(/^- item/);
  });

  it('the splitter sets the page of a fragment to the page on which its new text begins', () => {
    const pages = [1, 2, 3].map((page) => createBlock('text', createSentences(6, `page ${page}`), { page }));
    const fragments = splitBlocks(pages);
    for (const fragment of fragments)
      expect(getUnrepeatedText(fragment).trim()).toContain(`page ${fragment.page ?? 0}`);
    expect(new Set(fragments.map((fragment) => fragment.page))).toEqual(new Set([1, 2, 3]));
  });

  it.each([
    ['Chinese', '保证期为自购买之日起两年。客户可以随时联系我们的服务中心。'.repeat(40), /[。]$/],
    ['Japanese', '保証期間は購入日から二年間です。修理は無料で行います。'.repeat(40), /[。]$/],
    ['Thai', 'การรับประกันมีระยะเวลาสองปีนับจากวันที่ซื้อสินค้า'.repeat(40), /\S$/],
    ['Arabic', 'مدة الضمان سنتان من تاريخ الشراء. يمكنكم الاتصال بنا في أي وقت. '.repeat(40).trim(), /[.]$/],
  ])(
    'the splitter fills each fragment of %s text to more than half of the maximum number of tokens, except the last fragment',
    (_, text, end) => {
      const fragments = splitBlocks([createBlock('text', text)], 128, 16);
      expect(fragments.length).toBeGreaterThan(4);
      for (const fragment of fragments.slice(0, -1)) {
        expect(fragment.tokens).toBeGreaterThan(64);
        expect(fragment.text).toMatch(end);
      }
    },
  );

  it.each([
    ['a word', 'a'.repeat(20_000)],
    ['a number', '7'.repeat(20_000)],
    ['spaces', `a${' '.repeat(20_000)}b`],
    ['Chinese without punctuation', '保'.repeat(20_000)],
    ['emoji', '👩‍👩‍👧'.repeat(2_000)],
    ['combining marks on one letter', `a${'\u0301'.repeat(2_000)}`],
    ['a special token of the tokenizer', '<|endoftext|>'.repeat(200)],
  ])('the splitter cuts a long text that has no sentence ends and no line ends: %s', { timeout: 20_000 }, (_, text) => {
    const fragments = splitBlocks([createBlock('text', text)], 64, 16);
    expect(fragments.every((fragment) => fragment.tokens <= 64)).toBe(true);
    expect(fragments.map(getUnrepeatedText).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });
});
