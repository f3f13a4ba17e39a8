import { describe, expect, it } from 'vitest';
import { readHtml, type HtmlPage } from './read-html.js';

function readBody(body: string): HtmlPage {
  return readHtml({
    bytes: new TextEncoder().encode(`<html><head><title>T</title></head><body>${body}</body></html>`),
    charset: 'utf-8',
    url: 'https://example.com/page',
    productToken: 'QuarryBot',
  });
}
const WORDS = 'These words are what the reader came for, and there are a good many of them, so nobody doubts it. ';
const buildParagraphs = (count: number): string => `<p>${WORDS.repeat(4)}</p>`.repeat(count);

describe('extractMainContent', () => {
  it('extractMainContent ignores an article element that is a small part of the page', () => {
    const page = readBody(
      `<article><p>Sign up here.</p></article><div class="x"><h1>Pumps</h1>${buildParagraphs(8)}</div>`,
    );
    expect(page.markdown).toContain('These words');
  });

  it('extractMainContent returns the main element of a short page, even if the main element is short', () => {
    const menu = Array.from(
      { length: 12 },
      (_, n) => `<div><a href="/${n}">Department ${n} and what it sells</a></div>`,
    );
    const page = readBody(
      `<div class="bar">${menu.join('')}</div><main><h1>Pumps</h1><p>They hum all day long.</p></main>`,
    );
    expect(page.markdown).toBe('# Pumps\n\nThey hum all day long.');
  });

  it('extractMainContent returns the whole page if the article that Readability found lacks most of the text of the page', () => {
    const cards = Array.from({ length: 30 }, (_, n) => `<div><a href="/${n}">Plan ${n}: ${WORDS}</a></div>`).join('');
    const page = readBody(`<div><div>${buildParagraphs(2)}</div><div class="sidebar">${cards}</div></div>`);
    expect(page.extraction).toBe('whole_page');
    expect(page.markdown).toContain('Plan 29');
  });

  it('extractMainContent ignores the article that Readability found if the article lacks a table of the page', () => {
    const properties = '<tr><th>Material</th><td>steel</td></tr><tr><th>Height</th><td>21 cm</td></tr>';
    const table = `<table>${properties}<tr><th>Weight</th><td>780 g</td></tr></table>`;
    const page = readBody(
      `<div class="a"><h1>Kettle</h1>${buildParagraphs(3)}</div><div class="widget">${table}</div>`,
    );
    expect(page.markdown).toContain('| Weight | 780 g |');
    expect(page.markdown).toContain('These words');
  });

  it.each(['http-headers', 'social-media', 'related-work', 'community'])(
    'extractMainContent keeps a heading although its id, %s, resembles the ids of boilerplate',
    (id) => {
      const page = readBody(
        `<main><h1>Pumps</h1>${buildParagraphs(2)}<h2 id="${id}">Section 7</h2>${buildParagraphs(2)}</main>`,
      );
      expect(page.markdown).toContain('## Section 7');
    },
  );

  it('extractMainContent preserves the levels of headings', () => {
    const page = readBody(`<main><h1>Pumps</h1>${buildParagraphs(2)}<h2>Care</h2>${buildParagraphs(2)}</main>`);
    expect(page.extraction).toBe('article');
    expect(page.markdown.match(/^#+ .*$/gm)).toEqual(['# Pumps', '## Care']);
  });
});
