import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { readJson } from './json.js';

const listFormattedBlocks = async (value: unknown): Promise<readonly string[]> =>
  formatBlocks((await readBlocks(readJson, typeof value === 'string' ? value : JSON.stringify(value))).blocks);

/** Returns the nested values of `value`, as texts, that a user can search for. */
function collectWords(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(collectWords);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([, field]) => collectWords(field));
  }
  if (typeof value === 'string') return value === '' ? [] : [value];
  return value === null ? [] : [JSON.stringify(value)];
}

describe('readJson', () => {
  it('readJson writes each value after its path, such as `maker.name: ACME`', async () => {
    const value = {
      name: 'Filter',
      price: 4.5,
      sizes: ['S', 'M'],
      maker: { name: 'ACME', city: null },
      parts: [{ id: 1 }, { id: 2 }],
    };
    await expect(listFormattedBlocks(value)).resolves.toEqual([
      '[] table: name: Filter\nprice: 4.5\nsizes: S, M\nmaker.name: ACME\nparts.1.id: 1\nparts.2.id: 2',
    ]);
  });

  it('readJson yields a block for each element of a list', async () => {
    await expect(
      listFormattedBlocks([
        { q: 'Who?', a: 'We.' },
        { q: 'Where?', a: 'Here.' },
      ]),
    ).resolves.toEqual(['[] table: q: Who?\na: We.', '[] table: q: Where?\na: Here.']);
  });

  it('readJson yields a section with its own heading for each large value', async () => {
    const article = { title: 'T', text: 'word '.repeat(300).trim() };
    const sketched = await listFormattedBlocks({ version: 2, articles: [article, article], end: true });
    expect(sketched.map((line) => line.replace(/(word ?)+/, '…'))).toEqual([
      '[] table: version: 2',
      '[articles] heading: articles',
      '[articles] table: title: T',
      '[articles] text: text: …',
      '[articles] table: title: T',
      '[articles] text: text: …',
      '[] table: end: true',
    ]);
  });

  it('each block from readJson contains the JSON pointer to the value in which the block begins', async () => {
    const value = {
      'a/b': [{ id: 1 }, { text: 'word '.repeat(300) }],
      'x~y': 'word '.repeat(300),
      z: 'word '.repeat(250),
    };
    const { blocks } = await readBlocks(readJson, JSON.stringify(value));
    expect(blocks.map(({ kind, pointer }) => [kind, pointer])).toEqual([
      ['heading', '/a~1b'],
      ['table', '/a~1b/0'],
      ['text', '/a~1b/1/text'],
      ['text', '/x~0y'],
      ['text', '/z'],
    ]);
  });

  it('readJson divides a very long value into several blocks without losing text', async () => {
    const { blocks } = await readBlocks(readJson, JSON.stringify('word '.repeat(60_000)));
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.map(({ text }) => text).join('')).toBe('word '.repeat(60_000).trimEnd());
  });

  it('readJson yields a block for each line of a JSON Lines file', async () => {
    await expect(listFormattedBlocks('{"a":1}\n{"a":2}\n')).resolves.toEqual(['[] table: a: 1', '[] table: a: 2']);
  });

  it.each([
    ['true, false and null in a list', '[true,false,null]', ['[] table: true\nfalse']],
    ['a text', '"hello"', ['[] table: hello']],
    ['a number', '7', ['[] table: 7']],
    ['a list of texts', '["a","b"]', ['[] table: a\nb']],
    ['null', 'null', []],
    ['an empty object', '{}', []],
    ['an empty file', ' \n', []],
    ['a document with a byte order mark', '\ufeff{"a":1}', ['[] table: a: 1']],
  ])('readJson reads the non-empty values of %s into at most one block', async (_, text, expected) => {
    await expect(listFormattedBlocks(text)).resolves.toEqual(expected);
  });

  it('the error of readJson states the position of the syntax error, or that the values are nested too deeply', async () => {
    await expect(listFormattedBlocks('{"a": 1,}')).rejects.toMatchObject({
      code: 'file_unreadable',
      message: 'The file is not JSON: property name expected at line 1, column 9.',
    });
    await expect(listFormattedBlocks('\n{"a": 1}\n\n{"a": }')).rejects.toMatchObject({
      message: 'The file is not JSON: value expected at line 4, column 7.',
    });
    await expect(listFormattedBlocks('[\n1,\n2] and more')).rejects.toMatchObject({
      message: 'The file is not JSON: invalid symbol at line 3, column 4.',
    });
    await expect(listFormattedBlocks('['.repeat(200_000))).rejects.toMatchObject({
      code: 'file_unreadable',
      message: 'The values of the file are nested too deeply.',
    });
  });

  it('readJson keeps every value at any depth of nesting', async () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('object')),
      leaf: fc.oneof(fc.stringMatching(/^[a-zA-Z0-9 ]{1,400}$/), fc.integer(), fc.boolean(), fc.constant(null)),
      list: fc.array(tie('value'), { maxLength: 5 }),
      object: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    }));
    await fc.assert(
      fc.asyncProperty(value, async (made) => {
        const found = (await listFormattedBlocks(JSON.stringify(made))).join('\n').replace(/\s/g, '');
        for (const word of collectWords(made)) expect(found).toContain(word.replace(/\s/g, ''));
      }),
    );
  });

  it('readJson keeps the spelling of numbers, duplicate fields, and the order of fields', async () => {
    await expect(
      listFormattedBlocks(
        '{"id": 12345678901234567890, "price": 4.50, "2024": "b", "2023": "a", "tag": "x", "tag": "y"}',
      ),
    ).resolves.toEqual(['[] table: id: 12345678901234567890\nprice: 4.50\n2024: b\n2023: a\ntag: x\ntag: y']);
  });

  it('readJson joins a list of lines that end with line breaks into one text, without adding separators', async () => {
    await expect(listFormattedBlocks({ source: ['import x\n', '\n', 'x.run()'] })).resolves.toEqual([
      '[] table: source: import x\n\nx.run()',
    ]);
  });

  it('readJson omits pictures that are encoded in base64', async () => {
    const picture = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7 + (at >> 3)) % 256)).toString(
      'base64',
    );
    const inLines = picture.replace(/.{76}/g, '$&\n');
    await expect(
      listFormattedBlocks({ name: 'plan', png: picture, lines: inLines, url: `data:image/png;base64,${picture}` }),
    ).resolves.toEqual(['[] table: name: plan']);
  });

  it('readJson reads fields with the name of a property of Object.prototype like other fields', async () => {
    await expect(listFormattedBlocks('{"__proto__": {"x": 1}, "constructor": "y"}')).resolves.toEqual([
      '[] table: __proto__.x: 1\nconstructor: y',
    ]);
  });
});
