import { describe, expect, it } from 'vitest';
import { formatBlocks } from '../../testing/read-blocks.js';
import { TITLE_CLASS } from './html-block-builder.js';
import { parseHtmlBlocks } from './html-blocks.js';

const listFormattedBlocks = (html: string): readonly string[] => formatBlocks(parseHtmlBlocks(html));

describe('parseHtmlBlocks', () => {
  it('parseHtmlBlocks yields headings and paragraphs, each with the path of the headings above it', () => {
    const html = `<h1 class="${TITLE_CLASS}">Guide</h1><h1>Install</h1><p>Run <b>it</b>,<br>then wait.</p><h2>Linux</h2><div>Yes<p>No</p></div>`;
    expect(listFormattedBlocks(html)).toEqual([
      '[Guide] heading: Guide',
      '[Guide › Install] heading: Install',
      '[Guide › Install] text: Run it,\nthen wait.',
      '[Guide › Install › Linux] heading: Linux',
      '[Guide › Install › Linux] text: Yes',
      '[Guide › Install › Linux] text: No',
    ]);
  });

  it('parseHtmlBlocks yields a list as one block, with the paragraphs and lists inside its items', () => {
    const html =
      '<p>Before</p><ul><li>one<ul><li>inner</li><li>more</li></ul></li><li><p>two</p><p>more of two</p></li></ul><ol><li>first</li><li>second</li></ol>';
    expect(listFormattedBlocks(html)).toEqual([
      '[] text: Before',
      '[] list: - one\n  - inner\n  - more\n- two\n  more of two',
      '[] list: 1. first\n2. second',
    ]);
  });

  it('parseHtmlBlocks omits empty list items, and replaces an item that contains only a list by the items of that list', () => {
    const nested = '<ul><li><ul><li><ul><li>bread</li><li>milk<ul><li>whole</li></ul></li></ul></li></ul></li></ul>';
    expect(listFormattedBlocks(nested)).toEqual(['[] list: - bread\n- milk\n  - whole']);
    const empty = '<ul><li><ul></ul>foo</li><li><ul><li>a</li></ul><ul><li>b</li></ul></li></ul>';
    expect(listFormattedBlocks(empty)).toEqual(['[] list: - foo\n- a\n- b']);
    const gaps = '<ol><li></li><li>second<ul><li> </li></ul></li><li><img></li></ol>';
    expect(listFormattedBlocks(gaps)).toEqual(['[] list: 2. second']);
    expect(listFormattedBlocks('<ul><li><table><tr><td>a</td></tr></table></li></ul>')).toHaveLength(1);
  });

  it('parseHtmlBlocks repeats a cell with a rowspan or colspan in each position that the cell covers', () => {
    const html =
      '<table><tr><th>A</th><th colspan="2">B</th></tr><tr><td rowspan="2">a</td><td>b1</td><td>c1</td></tr><tr><td>b2</td><td><p>c</p><p>2</p></td></tr></table>';
    expect(listFormattedBlocks(html)).toEqual([
      '[] table: | A | B | B |\n|---|---|---|\n| a | b1 | c1 |\n| a | b2 | c 2 |',
    ]);
  });

  it('parseHtmlBlocks yields the caption of a table as text before the table', () => {
    const table = '<tr><td>1</td><td>2</td></tr></table>';
    expect(listFormattedBlocks(`<p>Before</p><table><caption><b>Table 3</b>: Prices</caption>${table}`)).toEqual([
      '[] text: Before',
      '[] text: Table 3: Prices',
      '[] table: | 1 | 2 |',
    ]);
    expect(listFormattedBlocks(`<table><tr><td>x <table><caption>inner</caption>${table}</td></tr></table>`)).toEqual([
      '[] table: | x inner 1 2 |',
    ]);
  });

  it('parseHtmlBlocks reads a table inside a cell as text of the cell', () => {
    const html =
      '<table><tr><td>x</td><td><table><tr><td>in</td><td>side</td></tr></table></td></tr><tr><td>y</td><td>z</td></tr></table>after';
    expect(listFormattedBlocks(html)).toEqual(['[] table: | x | in side |\n|---|---|\n| y | z |', '[] text: after']);
  });

  it('parseHtmlBlocks limits the number of repetitions of a cell with a large rowspan or colspan', () => {
    const [table] = listFormattedBlocks(
      `<table>${'<tr><td colspan="99999999" rowspan="99999999">x</td></tr>'.repeat(20)}</table>`,
    );
    expect(table?.length).toBeLessThan(500_000);
  });

  it('parseHtmlBlocks keeps the URLs of links to other pages, the alternative texts of pictures, and the line ends of code', () => {
    expect(
      listFormattedBlocks(
        '<pre>if (x)\n  y();</pre><p><a href="https://a.example/x">words</a> <a href="#top">up</a> <img alt="a plan"></p>',
      ),
    ).toEqual(['[] code: if (x)\n  y();', '[] text: [words](https://a.example/x) up a plan']);
  });

  it('parseHtmlBlocks omits hidden elements, and reads elements without end tags', () => {
    expect(
      listFormattedBlocks(
        '<style>p{}</style><script>x()</script><!-- no --><p>one &amp; <i>two</p></div><li>three<table><td>4',
      ),
    ).toEqual(['[] text: one & two', '[] text: three', '[] table: | 4 |']);
  });

  it.each<[string, string, readonly string[]]>([
    ['a `<` before a number', '<p>price < 5 and more text', ['[] text: price < 5 and more text']],
    ['an unfinished tag at the end', '<p>one</p><div', ['[] text: one', '[] text: <div']],
    ['a `<` before a letter', '<p>if a <b then c', ['[] text: if a <b then c']],
    ['a `<` at the end', '<p>one <', ['[] text: one <']],
    ['an unfinished end tag at the end', '<p>one</', ['[] text: one</']],
    [
      'an attribute without a closing quote',
      '<p>a <i title="x>b</i> c</p><p>d',
      ['[] text: a <i title="x>b c', '[] text: d'],
    ],
    ['an unfinished comment', '<p>one<!-- two</p><p>three', ['[] text: one two', '[] text: three']],
    ['a table without end tags', '<table><tr><td>1<td>2 <b', ['[] table: | 1 | 2 <b |']],
    ['a `head` without an end tag', '<head><title>no</title><body>one', ['[] text: one']],
  ])('parseHtmlBlocks loses no visible text of a document with %s', (_, html, expected) => {
    expect(listFormattedBlocks(html)).toEqual(expected);
  });

  it('parseHtmlBlocks keeps the text after thousands of unfinished tags', () => {
    const [text = ''] = listFormattedBlocks(`${'<a "'.repeat(20_000)}end`);
    expect(text.endsWith('end')).toBe(true);
  });

  it.each(['Bananas', '<p>Bananas</p>'])(
    'parseHtmlBlocks begins a new line for %s after an empty nested list',
    (text) => {
      const html = `<ul><li>Apples<ul><li></li></ul>${text}</li></ul>`;
      expect(listFormattedBlocks(html)).toEqual(['[] list: - Apples\n  Bananas']);
    },
  );

  it('parseHtmlBlocks reads a long list after a link without an end tag in linear time', () => {
    const [list = ''] = listFormattedBlocks(`<ul><a name="top">${'<li><p>one</p><p>two</p></li>'.repeat(60_000)}</ul>`);
    expect(list.split('\n')).toHaveLength(120_000);
  });

  it('parseHtmlBlocks reads a long list in linear time, and reads a link that spans several lines of an item as one link', () => {
    const items = '<li><p>one</p><p>two</p></li>'.repeat(60_000);
    const link = '<li><a href="https://example.com/"><div>Title</div><div>Text</div></a></li>';
    const [list = ''] = listFormattedBlocks(`<ul>${items}${link}</ul>`);
    expect(list.endsWith('- one\n  two\n- [Title\n  Text](https://example.com/)')).toBe(true);
    expect(list.split('\n')).toHaveLength(120_002);
  });
});
