import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Markdown, type MarkdownProps } from './markdown.js';

function renderMarkdown(text: string, props: Omit<MarkdownProps, 'text'> = {}): string {
  return renderToStaticMarkup(createElement(Markdown, { ...props, text }));
}

const renderContent = (text: string): string =>
  /^<div class="markdown">(.*)<\/div>$/s.exec(renderMarkdown(text))?.[1] ?? '';

describe('Markdown', () => {
  it.each([
    ['**bold** and _light_', '<p dir="auto"><strong>bold</strong> and <em>light</em></p>'],
    ['# Title', '<h3 dir="auto">Title</h3>'],
    ['> quoted', '<blockquote dir="auto"><p dir="auto">quoted</p></blockquote>'],
    ['3. three\n4. four', '<ol dir="auto" start="3"><li>three</li><li>four</li></ol>'],
    ['- a\n  - b', '<ul dir="auto"><li>a<ul dir="auto"><li>b</li></ul></li></ul>'],
    ['`x < y`', '<p dir="auto"><code>x &lt; y</code></p>'],
    ['a &amp; b &#39;c&#x27; &copy;', '<p dir="auto">a &amp; b &#x27;c&#x27; &amp;copy;</p>'],
    ['a\\*b', '<p dir="auto">a*b</p>'],
    ['- [x] done', '<ul dir="auto"><li>☑ done</li></ul>'],
    ['~~old~~\nnew', '<p dir="auto"><del>old</del><br/>new</p>'],
  ])('the Markdown component renders %j as HTML elements', (text, expected) => {
    expect(renderContent(text)).toBe(expected);
  });

  it('Markdown renders tables and code blocks', () => {
    expect(renderContent('|a|b|\n|-|-|\n|1|2|')).toContain('<th scope="col">a</th>');
    expect(renderContent('```js\nalert(1)\n```')).toContain('<code>alert(1)</code>');
  });

  it('Markdown renders links that open in a new tab and give the opened page no access to the console', () => {
    expect(renderContent('[a](https://example.org/x)')).toBe(
      '<p dir="auto"><a href="https://example.org/x" rel="noopener noreferrer nofollow" target="_blank">a</a></p>',
    );
  });

  it('Markdown shows an image as a link, so that showing an answer loads nothing from other servers', () => {
    expect(renderContent('![chart](https://example.org/x.png)')).not.toContain('<img');
  });

  it('Markdown passes the plain text between markup to renderText', () => {
    const html = renderMarkdown('See [1] and **[2]** and `[3]`', {
      renderText: (text) =>
        text.split(/(\[\d\])/).map((part) => (part.startsWith('[') ? createElement('sup', { key: part }, part) : part)),
    });
    expect(html).toContain('See <sup>[1]</sup> and <strong><sup>[2]</sup></strong> and <code>[3]</code>');
  });

  it.each([1_000, 20_000])(
    'for a quote with %i levels, Markdown renders fewer than 20 levels as elements, and shows the text of the innermost level',
    (depth) => {
      const html = renderContent(`${'> '.repeat(depth)}deep`);
      expect(html).toContain('deep');
      expect(html.split('<blockquote').length).toBeLessThan(20);
    },
  );

  it.each(listPayloads())('Markdown renders no dangerous element, attribute or address from %j', (payload) => {
    const html = renderMarkdown(payload);
    expect(listDangers(html)).toEqual([]);
  });

  it('Markdown creates no dangerous element or attribute from any text', () => {
    const parts = [
      '<',
      '>',
      '"',
      "'",
      '`',
      '[',
      ']',
      '(',
      ')',
      '!',
      '\n',
      '&',
      ';',
      ':',
      '#',
      'javascript',
      'data',
      'script',
      'img',
      'src=',
      'onerror=',
      'x',
      ' ',
      '&colon;',
      '\\',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (chosen) => {
        expect(listDangers(renderMarkdown(chosen.join('')))).toEqual([]);
      }),
    );
  });
});

const SAFE_ELEMENTS =
  /^(div|p|h[3-6]|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|pre|code|hr|strong|em|del|a|br|span|button|svg|path)$/;
const SAFE_ATTRIBUTES =
  /^(class|dir|href|rel|target|title|start|scope|aria-[a-z]+|role|tabindex|type|d|fill|height|width|stroke|stroke-[a-z]+|viewbox)$/;

/** Lists the elements, attributes and link addresses in an HTML text that are not allowed. */
function listDangers(html: string): readonly string[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi)].flatMap(
    ([, element = '', attributes = '']) => [
      ...(SAFE_ELEMENTS.test(element.toLowerCase()) ? [] : [`<${element}>`]),
      ...[...attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)].flatMap(([, name = '', value = '']) => {
        if (!SAFE_ATTRIBUTES.test(name.toLowerCase())) return [name];
        return name === 'href' && !/^(https?|mailto):/.test(value) ? [`href=${value}`] : [];
      }),
    ],
  );
}

/** Lists Markdown and HTML texts with which attackers try to run scripts. */
function listPayloads(): readonly string[] {
  return [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<body onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
    '<details open ontoggle=alert(1)>',
    '<video><source onerror=alert(1)></video>',
    '<audio src onerror=alert(1)>',
    '<input autofocus onfocus=alert(1)>',
    '<form action="javascript:alert(1)"><button>x</button></form>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<embed src="javascript:alert(1)">',
    '<link rel=stylesheet href=//evil.example>',
    '<meta http-equiv=refresh content="0;url=//evil.example">',
    '<base href="//evil.example/">',
    '<style>@import "//evil.example"</style>',
    '<template><script>alert(1)</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<?xml version="1.0"?><img src=x onerror=alert(1)>',
    '<x onclick=alert(1)>click</x>',
    '<div style="background:url(javascript:alert(1))">',
    '<marquee onstart=alert(1)>',
    '"><script>alert(1)</script>',
    "'-alert(1)-'",
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](  javascript:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](java&#x09;script:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
    '[x](vbscript:msgbox(1))',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '[x](/api/session)',
    '[x](blob:https://x/1)',
    '![x](javascript:alert(1))',
    '![x](x" onerror="alert(1))',
    '![x](https://evil.example/" onload="alert(1))',
    '<javascript:alert(1)>',
    '[x][1]\n\n[1]: javascript:alert(1)',
    '[x](https://a.example "title\\" onmouseover=\\"alert(1)")',
    '`<script>alert(1)</script>`',
    '```"><img src=x onerror=alert(1)>\n<script>alert(1)</script>\n```',
    '| <img src=x onerror=alert(1)> |\n|-|\n| <script>alert(1)</script> |',
    '# <img src=x onerror=alert(1)>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&#60;img src=x onerror=alert(1)&#62;',
  ];
}
