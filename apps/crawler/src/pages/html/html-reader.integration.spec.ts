import { afterEach, describe, expect, it } from 'vitest';
import { createHtmlReader, PageUnreadable, type HtmlReader } from './html-reader.js';
import type { HtmlInput } from './read-html.js';

const createInput = (html: string): HtmlInput => ({
  bytes: new TextEncoder().encode(html),
  charset: 'utf-8',
  url: 'https://example.com/a',
  productToken: 'QuarryBot',
});

describe('createHtmlReader', () => {
  let reader: HtmlReader;
  const openReader = (settings: Partial<Parameters<typeof createHtmlReader>[0]> = {}): void => {
    reader = createHtmlReader({ threads: 2, timeoutMs: 20_000, memoryMb: 256, ...settings });
  };
  afterEach(() => reader.close());

  it('the HTML reader extracts the content of a page in a worker thread', async () => {
    openReader();
    const read = await reader.read(createInput('<title>T</title><main><h2>A</h2><p>Some <b>text</b>.</p></main>'));
    expect(read).toMatchObject({ title: 'T', markdown: '## A\n\nSome **text**.' });
  });

  it('the HTML reader returns the result of each page when there are more pages than threads', async () => {
    openReader();
    const pages = Array.from({ length: 20 }, (_, n) => reader.read(createInput(`<main><p>page ${n}</p></main>`)));
    const expected = Array.from({ length: 20 }, (_, n) => `page ${n}`);
    expect((await Promise.all(pages)).map((read) => read.markdown)).toEqual(expected);
  });

  it.each([
    ['deep nesting', '<div>'.repeat(100_000)],
    ['deep nesting around every word', '<b><i>x '.repeat(20_000)],
    ['unclosed tags', '<p><a href="x'.repeat(30_000)],
    ['many attributes', `<p ${Array.from({ length: 60_000 }, (_, n) => `a${n}=1`).join(' ')}>x</p>`],
    ['huge spans', `<table>${'<tr><td rowspan=99999 colspan=99999>x</td></tr>'.repeat(500)}</table>`],
    ['nested tables', `${'<table><tr><td>'.repeat(2_000)}x`],
    ['emphasis without end', `<p>${'*a_ '.repeat(50_000)}</p>`],
  ])('the HTML reader reads the next page after a page with %s', async (_what, html) => {
    openReader({ threads: 1, timeoutMs: 5_000 });
    await Promise.allSettled([reader.read(createInput(`<body>${html}</body>`))]);
    await expect(reader.read(createInput('<main>fine</main>'))).resolves.toMatchObject({ markdown: 'fine' });
  });

  it('the HTML reader rejects a page that exceeds the time limit', async () => {
    openReader({ threads: 1, timeoutMs: 1 });
    const slow = reader.read(createInput(`<main>${'<p>word</p>'.repeat(20_000)}</main>`));
    await expect(slow).rejects.toThrow(PageUnreadable);
    await expect(slow).rejects.toThrow('within 1 ms');
    await reader.close();
    openReader();
    await expect(reader.read(createInput('<main>fine</main>'))).resolves.toMatchObject({ markdown: 'fine' });
  });

  it('the HTML reader rejects a page that exceeds the memory limit', async () => {
    openReader({ threads: 1, memoryMb: 40 });
    const large = reader.read(createInput(`<main>${'<p>word</p>'.repeat(300_000)}</main>`));
    await expect(large).rejects.toThrow('40 MB of memory');
    await expect(reader.read(createInput('<main>fine</main>'))).resolves.toMatchObject({ markdown: 'fine' });
  });

  it('when the HTML reader is closed, it rejects the reads that wait for a thread and the reads in progress', async () => {
    openReader({ threads: 1 });
    const pages = [1, 2, 3].map((n) => reader.read(createInput(`<main>${'<p>word</p>'.repeat(n * 10_000)}</main>`)));
    const ends = Promise.allSettled(pages);
    await reader.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
