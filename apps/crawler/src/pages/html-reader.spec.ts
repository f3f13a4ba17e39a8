import { afterAll, describe, expect, it } from 'vitest';
import { htmlReader } from './html-reader.js';
import type { HtmlInput } from './html/read-html.js';

const page = (html: string): HtmlInput => ({
  bytes: new TextEncoder().encode(html),
  charset: 'utf-8',
  address: 'https://example.com/a',
  productToken: 'QuarryBot',
});

describe('the HTML reader', () => {
  const reader = htmlReader({ threads: 2, timeoutMs: 20_000, memoryMb: 256 });
  afterAll(() => reader.close());

  it('reads a page in a thread of its own', async () => {
    const read = await reader.read(page('<title>T</title><main><h2>A</h2><p>Some <b>text</b>.</p></main>'));
    expect(read).toMatchObject({ title: 'T', markdown: '## A\n\nSome **text**.' });
  });

  it('reads many pages with few threads', async () => {
    const pages = Array.from({ length: 20 }, (_, n) => reader.read(page(`<main><p>page ${n}</p></main>`)));
    expect((await Promise.all(pages)).map((read) => read.markdown)).toEqual(
      Array.from({ length: 20 }, (_, n) => `page ${n}`),
    );
  });
});
