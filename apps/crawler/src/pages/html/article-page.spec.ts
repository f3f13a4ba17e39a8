import { describe, expect, it } from 'vitest';
import { readHtml } from './read-html.js';

const OPEN_GRAPH = '<meta property="og:type" content="article">';
const SCHEMA = '<script type="application/ld+json">{"@type":"NewsArticle"}</script>';
const PUBLISHED = '<meta property="article:published_time" content="2026-01-02">';
const PAGE_URL = 'https://example.com/news/pumps';

function readMarkdown(body: string, head: string = SCHEMA, url = PAGE_URL): string {
  const html = `<html><head><title>T</title>${head}</head><body>${body}</body></html>`;
  const bytes = new TextEncoder().encode(html);
  return readHtml({ bytes, charset: 'utf-8', url, productToken: 'QuarryBot' }).markdown;
}

/** Builds paragraphs of different running text about a topic. */
function buildParagraphs(topic: string, count: number): string {
  const parts = ['arrive early', 'cost more than before', 'need a permit', 'are sold in pairs', 'last for years'];
  return Array.from({ length: count }, (_, n) => {
    const part = parts[n % parts.length];
    return `<p>Report ${n} on ${topic} says that they ${part}, and that nobody in the town of ${topic} expected number ${n}.</p>`;
  }).join('');
}

const TEXT = buildParagraphs('pumps', 8);
const OTHER_TEXT = buildParagraphs('boats', 12);
const SENTENCE = 'Citizens who want to lower the water in their wells have to ask the office of water and pumps.';
const TITLE = '<h1>Pumps return</h1>';

describe('the main content of an article page', () => {
  it.each([
    ['JSON-LD', '<script type="application/ld+json">{"@graph":[{"@type":["NewsArticle"]}]}</script>'],
    ['invalid JSON-LD', '<script type="application/ld+json">{"@type":"BlogPosting","x":"\n",}</script>'],
    ['a publication time', PUBLISHED],
    ['a publication time on a web page', `${PUBLISHED}<script type="application/ld+json">{"@type":"WebPage"}</script>`],
  ])('readHtml extracts the article element if %s declares an article', (_, head) => {
    const markdown = readMarkdown(
      `<main><article>${TITLE}${TEXT}</article><div class="sidebar">${OTHER_TEXT}</div></main>`,
      head,
    );
    expect(markdown).toContain('Report 7 on pumps');
    expect(markdown).not.toContain('boats');
  });

  it.each([
    ['nothing', ''],
    ['an article in Open Graph alone', OPEN_GRAPH],
    ['a thread', `${OPEN_GRAPH}<script type="application/ld+json">{"@type":"QAPage"}</script>`],
    ['a product', `${OPEN_GRAPH}<script type="application/ld+json">{"@type":"Product"}</script>`],
    ['technical documentation', '<script type="application/ld+json">{"@type":"TechArticle"}</script>'],
    ['a listing', `${PUBLISHED}<script type="application/ld+json">{"@type":"CollectionPage"}</script>`],
  ])('readHtml extracts the whole main element if the page declares %s', (_, head) => {
    const markdown = readMarkdown(
      `<main><article>${TITLE}${TEXT}</article><div class="sidebar">${OTHER_TEXT}</div></main>`,
      head,
    );
    expect(markdown).toContain('Report 7 on pumps');
    expect(markdown).toContain('Report 11 on boats');
  });

  it('readHtml extracts the whole main element of a home page that declares an article', () => {
    const body = `<main><article>${TITLE}${TEXT}</article><div class="sidebar">${OTHER_TEXT}</div></main>`;
    expect(readMarkdown(body, SCHEMA, 'https://example.com/')).toContain('Report 11 on boats');
  });

  it('readHtml keeps links whose text is a sentence, and lists of links after an introduction, but removes other links to pages of the site', () => {
    const list = '<ul><li><a href="/a">Pump A</a></li><li><a href="/b">Pump B</a></li></ul>';
    const introduction = `<p>The town has compared the pumps of the last ten years, and recommends these two to its citizens:</p>`;
    const links = '<p><a href="/sew">Learn how to build one here!</a></p><p><a href="/next">Boats return</a></p>';
    const related = '<p>Related:</p><ul><li><a href="/c">Boat C</a></li><li><a href="/d">Boat D</a></li></ul>';
    const markdown = readMarkdown(`<article>${TITLE}${TEXT}${introduction}${list}${links}${related}</article>`);
    expect(markdown).toMatch(/Pump A[^]*Pump B[^]*Learn how to build one here!/);
    expect(markdown).not.toMatch(/Boats return|Boat C/);
  });

  it('readHtml keeps the links to pages of the site if they are a large part of the text', () => {
    const items = Array.from({ length: 40 }, (_, n) => `<li><a href="/${n}">Pump of the year ${n}</a></li>`).join('');
    expect(readMarkdown(`<article>${TITLE}${TEXT}<h2>All pumps</h2><ul>${items}</ul></article>`)).toContain('year 39');
  });

  it('if only Open Graph declares an article, readHtml keeps the whole text of a page that lists several articles and teasers', () => {
    const articles = ['pumps', 'boats', 'wells', 'locks'].map(
      (topic) => `<article>${buildParagraphs(topic, 2)}</article>`,
    );
    const teasers = Array.from({ length: 40 }, (_, n) => `<div><a href="/${n}">Teaser ${n} of the day</a></div>`);
    const markdown = readMarkdown(`<main>${articles.join('')}<div>${teasers.join('')}</div></main>`, OPEN_GRAPH);
    expect(markdown).toContain('Teaser 39');
  });

  it('readHtml keeps links to pages of the site if only Open Graph declares an article', () => {
    const link = '<p><a href="/c">Trains are late again</a></p>';
    expect(readMarkdown(`<article>${TITLE}${TEXT}${link}</article>`, OPEN_GRAPH)).toContain('Trains');
  });

  it('readHtml keeps the text of several articles of similar length', () => {
    const markdown = readMarkdown(
      `<main>${TITLE}<article>${TEXT}</article><article>${buildParagraphs('boats', 8)}</article></main>`,
    );
    expect(markdown).toContain('Report 7 on pumps');
    expect(markdown).toContain('Report 7 on boats');
  });

  it('readHtml omits the comments of readers, even if they are longer than the article', () => {
    const markdown = readMarkdown(
      `<main>${TITLE}<div class="text">${TEXT}</div><div id="comments"><h2>Replies</h2>${OTHER_TEXT}</div></main>`,
    );
    expect(markdown).toContain('Report 7 on pumps');
    expect(markdown).not.toContain('boats');
    expect(markdown).not.toContain('Replies');
  });

  it('readHtml keeps an article inside an element whose class name suggests reader comments or boilerplate', () => {
    const markdown = readMarkdown(
      `<div class="comments-open"><div class="comment-page"><div class="article-share"><main>${TITLE}${TEXT}</main></div></div></div>`,
    );
    expect(markdown).toContain('Report 7 on pumps');
  });

  it('readHtml keeps an element that contains much of the text, even if its class name suggests boilerplate', () => {
    const markdown = readMarkdown(`<main>${TITLE}<p>Intro.</p><div class="social-story">${TEXT}</div></main>`);
    expect(markdown).toContain('Report 7 on pumps');
  });

  it.each([
    ['<div class="ShareBar">Send this to a friend</div>', 'friend'],
    ['<div class="box author-bio"><p>Ann has been a reporter for eleven years and lives by the sea.</p></div>', 'Ann'],
    ['<aside id="newsletter-signup"><p>Get the news by post.</p></aside>', 'by post'],
    ['<figure><img src="a.png" alt=""><figcaption>A pump in a garden</figcaption></figure>', 'garden'],
    ['<ul><li><a href="/a">Boats sink</a></li><li><a href="/b">Cars float</a></li></ul>', 'Boats'],
    ['<h3>More</h3><p><a href="https://www.example.com/c">Trains are late again</a></p>', 'Trains'],
    ['<h3>More</h3><p><a href="/c">Trains are late again</a></p>', '### More'],
    ['<p><a href="https://www.facebook.com/share?u=x">Tell everyone</a></p>', 'everyone'],
  ])('readHtml omits boilerplate such as %s', (boilerplate, text) => {
    const half = TEXT.length / 2;
    const end = TEXT.indexOf('<p>', half);
    const body = `<main>${TITLE}<div>${TEXT.slice(0, end)}${boilerplate}<h3>Next</h3>${TEXT.slice(end)}</div></main>`;
    const markdown = readMarkdown(body);
    expect(markdown).toContain('Report 0 on pumps');
    expect(markdown).toContain('### Next');
    expect(markdown).toContain('Report 7 on pumps');
    expect(markdown).not.toContain(text);
  });

  it.each([
    [
      '<ul><li><a href="https://a.example/x">First source</a></li><li><a href="https://b.example/y">Second</a></li></ul>',
      'source',
    ],
    ['<p>See also <a href="/c">the report</a> by the office of water and pumps.</p>', 'the report'],
    ['<figure><img src="a.png" alt=""><figcaption>Abbildung 2: Flow per hour</figcaption></figure>', 'Flow per hour'],
    ['<ul><li>Two spades</li><li>One pump</li></ul>', 'One pump'],
    ['<pre><code><span class="token comment"># starts a pump</span> pump</code></pre>', '# starts a pump'],
    ['<div id="newsletter-api"><h3>Paths</h3><pre><code>POST /letters</code></pre></div>', 'POST /letters'],
    ['<div class="cta-card"><h3>Pump 9</h3><p>Digs wells.</p></div>', 'Digs wells'],
    ['<h3 id="share-of-renters">Share of renters</h3><p>Half of them.</p>', 'Share of renters'],
    ['<div class="[&>figcaption]:text-sm"><p>Wells stay dry.</p></div>', 'Wells stay dry'],
    ['<figure><table><tr><td>21</td></tr></table><figcaption>Litres per hour</figcaption></figure>', 'Litres per hour'],
    [`<p>${SENTENCE} <a class="popup" href="/f">Request form</a></p>`, 'Request form'],
    ['<h3><a href="https://shop.example/p">Pump 117</a></h3><h3>Pump 118</h3>', 'Pump 117'],
    [`<p><a href="${PAGE_URL}#note-1">Note 1</a></p>`, 'Note 1'],
  ])('readHtml keeps parts of the text such as %s', (part, text) => {
    expect(readMarkdown(`<main>${TITLE}<div>${TEXT}${part}${TEXT}</div></main>`)).toContain(text);
  });

  it.each([
    ['nothing', ''],
    [
      'an article in Open Graph and a web page',
      `${OPEN_GRAPH}<script type="application/ld+json">{"@type":"WebPage"}</script>`,
    ],
  ])('readHtml keeps elements whose class names suggest boilerplate if the page declares %s', (_, head) => {
    const markdown = readMarkdown(
      `<main>${TITLE}${TEXT}<div class="newsletter-note"><p>Seals fit all pumps.</p><p>They are cheap.</p></div></main>`,
      head,
    );
    expect(markdown).toContain('Seals fit all pumps');
  });

  it('readHtml extracts the article without the list of teasers, even if the teasers contain more text than the article', () => {
    const teasers = Array.from(
      { length: 14 },
      (_, n) => `<li><a href="/${n}">Town ${n} votes</a> ${buildParagraphs(`town${n}`, 1).replace(/<\/?p>/g, '')}</li>`,
    );
    const markdown = readMarkdown(`<ul class="top">${teasers.join('')}</ul><div>${TITLE}${TEXT}</div>`);
    expect(markdown).toContain('Report 7 on pumps');
    expect(markdown).not.toContain('town13');
  });
});
