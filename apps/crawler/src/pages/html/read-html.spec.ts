import { describe, expect, it } from 'vitest';
import { readHtml, type HtmlPage } from './read-html.js';

const PAGE_URL = 'https://example.com/guide/page.html';

function readPage(html: string): HtmlPage {
  return readHtml({
    bytes: new TextEncoder().encode(html),
    charset: 'utf-8',
    url: PAGE_URL,
    productToken: 'QuarryBot',
  });
}
const readMain = (body: string): string => readPage(`<html><body><main>${body}</main></body></html>`).markdown;
const WORDS =
  'The reader comes here for these words, of which there are a good many, so that there is no doubt about them. ';

describe('readHtml', () => {
  const addBoilerplate = (
    content: string,
  ): string => `<!doctype html><html lang="en"><head><title>About bees – Example</title></head><body>
    <a class="skip-link" href="#content">Skip to content</a>
    <header><nav><a href="/">Home</a><a href="/shop">Shop</a></nav></header>
    <div class="cookie-banner">We use cookies. <button>Accept</button></div>
    ${content}
    <aside><h3>Popular</h3><a href="/1">One</a> <a href="/2">Two</a></aside>
    <footer>Imprint <a href="/imprint">Imprint</a></footer></body></html>`;
  const article = `<h1>About bees</h1><p>${WORDS.repeat(3)}</p><h2>Honey</h2><p>${WORDS.repeat(3)}</p><ul><li>one</li><li>two</li></ul>`;

  it.each([
    ['a main element', `<main>${article}</main>`],
    ['an article element', `<div><article>${article}</article></div>`],
    ['an element without semantics', `<div id="wrap"><div class="x">${article}</div></div>`],
  ])('readHtml extracts the text of %s, and omits the boilerplate around the element', (_where, content) => {
    const page = readPage(addBoilerplate(content));
    expect(page.markdown).toMatch(/^# About bees\n\nThe reader/);
    expect(page.markdown).toContain('## Honey');
    expect(page.markdown.match(/The reader comes/g)).toHaveLength(6);
    expect(page.markdown).not.toMatch(/Shop|cookies|Accept|Popular|Imprint|Skip/);
  });

  it('readHtml extracts the main content of a short page', () => {
    const page = readPage(addBoilerplate('<main><h1>About bees</h1><p>They hum.</p><a href="/a">Honey</a></main>'));
    expect(page.markdown).toBe('# About bees\n\nThey hum.\n\n[Honey](https://example.com/a)');
    const plain = readPage(
      '<html><head><title>T</title></head><body><nav>menu</nav><main><h1>T</h1><p>We sell bees.</p></main></body></html>',
    );
    expect(plain.markdown).toBe('# T\n\nWe sell bees.');
  });

  it('readHtml returns the whole page if the article that Readability extracts is incomplete', () => {
    const offers = Array.from({ length: 40 }, (_, n) => `<li><a href="/${n}">Offer ${n}</a></li>`).join('');
    const page = readPage(addBoilerplate(`<p>${WORDS}</p><div class="related"><ul>${offers}</ul></div>`));
    expect(page.extraction).toBe('whole_page');
    expect(page.markdown).toContain('Offer 39');
    expect(page.markdown).not.toMatch(/Shop|Imprint/);
  });

  it('readHtml returns the main element if Readability would remove a part of it', () => {
    const rows = Array.from({ length: 30 }, (_, n) => `<li><a href="/${n}">Entry ${n}</a></li>`).join('');
    const page = readPage(addBoilerplate(`<main><p>${WORDS}</p><div class="related"><ul>${rows}</ul></div></main>`));
    expect(page.markdown).toContain('Entry 29');
    expect(page.extraction).toBe('main_element');
  });

  it('readHtml includes the content of tabs and accordions', () => {
    const text =
      readMain(`<p>${WORDS}</p><button aria-controls="p1">Returns</button><div id="p1" hidden aria-hidden="true"><p>Thirty days.</p></div>
      <div role="tabpanel" hidden><p>Second tab.</p></div><details><summary>More</summary><p>Folded.</p></details><p hidden>Never shown.</p>`);
    expect(text).toContain('Thirty days.');
    expect(text).toContain('Second tab.');
    expect(text).toContain('Folded.');
    expect(text).not.toContain('Never shown.');
  });

  it.each([
    ['no head and body tags', '<title>T</title><p>First.<p>Second.'],
    ['no html tag', '<head><title>T</title></head><body><p>First.</p><p>Second.</p></body>'],
    ['omitted optional tags', '<!doctype html><html lang=en><meta charset=utf-8><title>T</title><p>First.<p>Second.'],
  ])('readHtml reads a page with %s', (_what, html) => {
    expect(readPage(html)).toMatchObject({ title: 'T', markdown: 'First.\n\nSecond.' });
  });
});

describe('readHtml for structured content', () => {
  it('readHtml preserves the levels of headings, and removes anchor links from them', () => {
    expect(readMain('<h2 id="a">Setup <a class="anchor" href="#a">¶</a></h2><h3><a href="/x">Linked</a></h3>')).toBe(
      '## Setup\n\n### Linked',
    );
  });

  it('readHtml converts nested lists, quotations and emphasis to Markdown', () => {
    expect(
      readMain(
        '<ul><li>one<ul><li>inner</li></ul></li></ul><blockquote>Said.</blockquote><p><em>a</em> <strong>b</strong> <del>c</del></p>',
      ),
    ).toBe('-   one\n    -   inner\n\n> Said.\n\n*a* **b** ~~c~~');
  });

  it.each([
    ['<pre><code class="language-js">const a = `b`;\n\nf(a);</code></pre>', '```js\nconst a = `b`;\n\nf(a);\n```'],
    ['<div class="highlight-source-shell"><pre>ls -l</pre></div>', '```shell\nls -l\n```'],
    ['<pre>a<br>b</pre>', '```\na\nb\n```'],
    [
      '<pre><span class="lineno">1</span><span>x</span>\n<span class="lineno">2</span><span>y</span></pre>',
      '```\nx\ny\n```',
    ],
    ['<pre>a ``` b</pre>', '````\na ``` b\n````'],
    ['<p>Call <code>f_x(y_z)</code> of snake_case_name.</p>', 'Call `f_x(y_z)` of snake_case_name.'],
  ])('readHtml converts the code %s to a Markdown code block or span', (html, markdown) => {
    expect(readMain(html)).toBe(markdown);
  });

  it.each([
    [
      'a header',
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>x | y</td></tr></tbody></table>',
      '| A | B |\n| --- | --- |\n| 1 | x \\| y |',
    ],
    [
      'no header',
      '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>',
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |',
    ],
    [
      'cells that span rows and columns',
      '<table><tr><th>Kind</th><th colspan="2">Sizes</th></tr><tr><td rowspan="2">Box</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
      '| Kind | Sizes | Sizes |\n| --- | --- | --- |\n| Box | 1 | 2 |\n| Box | 3 | 4 |',
    ],
    [
      'a caption, and lists and breaks in its cells',
      '<table><caption>Ducks</caption><tr><th>N</th><th>T</th></tr><tr><td>a<br>b</td><td><ul><li>c</li><li>d</li></ul></td></tr></table>',
      'Ducks\n\n| N | T |\n| --- | --- |\n| a b | - c - d |',
    ],
    [
      'headings in their cells',
      '<table><tr><td><h2>Left</h2></td><td><p>Right</p></td></tr></table>',
      '## Left\n\nRight',
    ],
    ['a single cell', '<table><tr><td>Alone</td></tr></table>', 'Alone'],
    [
      'excessive spans',
      '<table><tr><th>A</th><th>B</th></tr><tr><td colspan="99999999" rowspan="99999999">x</td></tr></table>',
      `| A | B |${'  |'.repeat(98)}\n|${' --- |'.repeat(100)}\n|${' x |'.repeat(100)}`,
    ],
  ])('readHtml converts tables with %s to Markdown', (_what, html, markdown) => {
    expect(readMain(html)).toBe(markdown);
  });

  it('readHtml converts links and images to Markdown with absolute URLs', () => {
    expect(
      readMain(
        '<p><a href="../up?x=1">up</a> <a href="#here">here</a> <a href="javascript:x()">script</a> <img src="i.png" alt="A bee"> <img src="data:image/png;base64,AA" alt="Inline"><img src="spacer.gif"></p>',
      ),
    ).toBe('[up](https://example.com/up?x=1) here script ![A bee](https://example.com/guide/i.png) Inline');
  });
});

describe('readHtml for metadata and links', () => {
  it('readHtml reads the title, description, language, author and dates of a page', () => {
    const page =
      readPage(`<html lang="pt-BR"><head><title>  Olá\n mundo </title><meta name="Description" content="Uma página.">
      <meta name="author" content="Ana"><meta property="article:published_time" content="2026-01-02T03:04:05+01:00">
      <meta property="article:modified_time" content="2026-02-03"></head><body><svg><title>Icon</title></svg><p>Texto.</p></body></html>`);
    expect(page).toMatchObject({
      title: 'Olá mundo',
      description: 'Uma página.',
      language: 'pt-BR',
      author: 'Ana',
      published: '2026-01-02T02:04:05.000Z',
      modified: '2026-02-03T00:00:00.000Z',
    });
  });

  it('readHtml resolves links relative to the base URL, and omits duplicates and nofollow links', () => {
    const page =
      readPage(`<head><base href="/base/"><link rel="next" href="page-2"></head><body><a href="a">1</a><a href="a#x">2</a>
      <a href="https://other.example/">3</a><a rel="external NoFollow" href="b">4</a><a href="mailto:a@example.com">5</a><a>6</a></body>`);
    expect([...page.links].sort()).toEqual([
      'https://example.com/base/a',
      'https://example.com/base/page-2',
      'https://other.example/',
    ]);
  });

  it('readHtml reads the canonical URL, and the target URL of a refresh meta tag', () => {
    const page = readPage(
      '<head><link rel="canonical" href="/guide/page"><meta http-equiv="Refresh" content="5; URL=\'/new\'"></head><body>x</body>',
    );
    expect(page).toMatchObject({ canonical: 'https://example.com/guide/page', refresh: 'https://example.com/new' });
  });

  it.each([
    '<meta http-equiv="refresh" content="300">',
    '<meta http-equiv="refresh" content="60;url=/new">',
    '<noscript><meta http-equiv="refresh" content="0;url=/old"></noscript>',
  ])('readHtml reads no refresh target from %s', (tag) => {
    expect(readPage(`<head>${tag}</head><body>x</body>`).refresh).toBeUndefined();
  });

  it('readHtml reads the robots directives for all crawlers and for this crawler', () => {
    expect(
      readPage(
        '<head><meta name="robots" content="noindex"><meta name="QuarryBot" content="nofollow"><meta name="otherbot" content="none"></head>',
      ).robots,
    ).toEqual(['noindex', 'nofollow']);
  });
});

describe('readHtml for special pages', () => {
  it.each([
    ['<title>404 Not Found</title><h1>Not Found</h1>', true],
    ['<title>Example</title><h1>Page not found</h1><p>Sorry!</p>', true],
    ['<title>Seite nicht gefunden – Beispiel</title><p>Tut uns leid.</p>', true],
    ['<title>Page introuvable</title><p>Désolé.</p>', true],
    ['<title>ページが見つかりません</title>', true],
    ['<title>Lost and found</title><h1>Lost and found</h1><p>Ask at the desk.</p>', false],
    [`<title>What a 404 not found error means</title><p>${WORDS.repeat(10)}</p>`, false],
  ])('readHtml detects whether %j is an error page: %s', (html, expected) => {
    expect(readPage(html).isSoft404).toBe(expected);
  });

  it.each([
    ['<body><div id="root"></div><script src="/app.js"></script></body>', true],
    [
      '<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="main">Loading…</div><script></script></body>',
      true,
    ],
    ['<body><script>x()</script></body>', true],
    [
      '<body><div id="root"><p>Rendered on the server.</p></div><p>And more text than a shell has, so there is something to read.</p><script></script></body>',
      true,
    ],
    [`<body><div id="root"><p>${WORDS.repeat(3)}</p></div><script></script></body>`, false],
    ['<body><p>A short page.</p><script src="/statistics.js"></script></body>', false],
    ['<body></body>', false],
  ])('readHtml detects whether scripts create the text of %j: %s', (html, expected) => {
    expect(readPage(html).needsRendering).toBe(expected);
  });

  const LOGIN =
    '<form><label>Name <input></label><label>Password <input type="password"></label><button>Go</button></form>';
  it.each([
    [`<title>Sign in</title><main><h1>Sign in</h1>${LOGIN}<p>Forgot your password?</p></main>`, true],
    [`<title>Anmelden</title><body>${LOGIN.replace('"password"', '"PASSWORD"')}</body>`, true],
    [`<title>Opening hours</title><header>${LOGIN}</header><main><h1>Opening hours</h1><p>At nine.</p></main>`, false],
    [`<title>Article</title><main><h1>Article</h1><p>${WORDS.repeat(3)}</p>${LOGIN}</main>`, false],
    ['<title>Sign in</title><main><h1>Sign in</h1><p>At the desk.</p></main>', false],
    [`<title>Forum</title>${LOGIN.replace('<form', '<form style="display: none"')}<main><p>Hello.</p></main>`, false],
  ])('readHtml detects whether %j is a login page: %s', (html, expected) => {
    expect(readPage(html).isLoginPage).toBe(expected);
  });
});
