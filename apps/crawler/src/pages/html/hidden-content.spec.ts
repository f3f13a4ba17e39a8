import { describe, expect, it } from 'vitest';
import { readHtml, type HtmlPage } from './read-html.js';

function readPage(html: string): HtmlPage {
  return readHtml({
    bytes: new TextEncoder().encode(html),
    charset: 'utf-8',
    url: 'https://example.com/page',
    productToken: 'QuarryBot',
  });
}
const WORDS = `<p>${'These words are what the reader came for, and there are a good many of them. '.repeat(5)}</p>`;
const SCRIPT = '<script src="/app.js"></script>';

describe('readHtml for hidden content', () => {
  it('readHtml moves content that React streams in hidden elements to the place of the placeholder', () => {
    const page = readPage(`<html><head><title>T</title></head><body>
      <main><h1>Pumps</h1><template id="B:0"></template><p>The end.</p></main>
      <div hidden id="S:0"><p>First.</p><template id="P:2"></template>${WORDS}</div>
      <div hidden id="S:2"><p>Second.</p></div>${SCRIPT}</body></html>`);
    expect(page.markdown).toMatch(/^# Pumps\n\nFirst\.\n\nSecond\.\n\nThese words[\s\S]+The end\.$/);
    expect(page.needsRendering).toBe(false);
  });

  it('readHtml includes content that React streams in a hidden element without a placeholder', () => {
    const page = readPage(`<html><body><div hidden id="S:1"><main>${WORDS}</main></div>${SCRIPT}</body></html>`);
    expect(page.markdown).toContain('These words');
  });

  it('readHtml includes the text of a long noscript element if the page has no other text', () => {
    const thread = `<div id="app"></div><noscript>You need JavaScript.</noscript><noscript><h1>A question</h1>${WORDS}</noscript>`;
    const page = readPage(`<html><head><title>T</title></head><body>${thread}${SCRIPT}</body></html>`);
    expect(page.markdown).toMatch(/^# A question\n\nThese words/);
    expect(page.markdown).not.toContain('JavaScript');
    expect(page.needsRendering).toBe(false);
  });

  it('readHtml excludes short noscript elements, and all noscript elements of a page with other text', () => {
    const built = readPage(
      `<html><body><main>${WORDS}<noscript><p>Old ${WORDS}</p></noscript></main>${SCRIPT}</body></html>`,
    );
    expect(built.markdown).not.toContain('Old');
    const empty = readPage(
      `<html><body><div id="app"></div><noscript>You need JavaScript.</noscript>${SCRIPT}</body></html>`,
    );
    expect(empty).toMatchObject({ markdown: '', needsRendering: true });
  });

  it('readHtml includes a main element in a hidden container, and excludes a hidden menu', () => {
    const page = readPage(
      `<html><body><div aria-hidden="true"><main><h1>Pumps</h1>${WORDS}</main></div><div aria-hidden="true">Menu</div></body></html>`,
    );
    expect(page.markdown).toMatch(/^# Pumps\n\nThese words/);
    expect(page.markdown).not.toContain('Menu');
  });

  it.each([
    ['a style element', '<style>p { color: red }</style>'],
    ['a script element', '<script>var a = 1;</script>'],
    ['a noscript element', '<noscript><iframe src="https://example.com/count"></iframe></noscript>'],
  ])('readHtml includes the body of a page that has %s between head and body', (_what, between) => {
    const page = readPage(`<html><head><title>T</title></head>${between}<body>${WORDS}</body></html>`);
    expect(page).toMatchObject({ title: 'T', markdown: expect.stringContaining('These words') as string });
  });

  it('readHtml includes a second body element, and content between two body elements', () => {
    const page = readPage(
      `<html><head><title>T</title></head><body><p>One.</p></body><p>Two.</p><body><p>Three.</p></body></html>`,
    );
    expect(page.markdown).toContain('One.\n\nTwo.\n\nThree.');
  });

  it('readHtml includes content after an unclosed CDATA section', () => {
    const page = readPage(
      `<html><body><![CDATA[\n<div id="top"></div><main><h1>Pumps</h1>${WORDS}</main></body></html>`,
    );
    expect(page.markdown).toMatch(/^# Pumps\n\nThese words/);
  });

  it('readHtml excludes a script that contains a CDATA section', () => {
    const script = '<script>//<![CDATA[\nif (1 > 0) document.write("<p>Written</p>");\n//]]></script>';
    expect(readPage(`<html><body>${script}<p>Read.</p></body></html>`).markdown).toBe('Read.');
  });
});
