import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSitemap, type SitemapEntry } from './read-sitemap.js';
import { SitemapUnreadable } from './decode-sitemap.js';

const BASE = 'https://example.com/maps/sitemap.xml';

interface ReadResult {
  readonly entries: readonly SitemapEntry[];
  readonly problem: string | undefined;
}

/** Reads a sitemap that arrives in small chunks. @param size the number of bytes of a chunk */
async function readInChunks(sitemap: string | Buffer, size = 7): Promise<ReadResult> {
  const bytes = Buffer.from(sitemap);
  const yieldChunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  };
  const entries: SitemapEntry[] = [];
  const reading = readSitemap(yieldChunks(), BASE);
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return { entries, problem: next.value };
    entries.push(next.value);
  }
}

const listUrls = ({ entries }: ReadResult): readonly string[] => entries.map(({ url }) => url);
const buildUrlset = (...entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`;

describe('readSitemap', () => {
  it('readSitemap reads the URLs and modification dates of pages', async () => {
    const sitemap = buildUrlset(
      '<url>\n <loc> https://example.com/a?x=1&amp;y=2 </loc>\n <lastmod>2026-01-02</lastmod><priority>0.5</priority></url>',
      '<url><loc><![CDATA[https://example.com/b]]></loc></url>',
    );
    expect(await readInChunks(sitemap)).toEqual({
      entries: [
        { kind: 'page', url: 'https://example.com/a?x=1&y=2', modified: '2026-01-02' },
        { kind: 'page', url: 'https://example.com/b', modified: undefined },
      ],
      problem: undefined,
    });
  });

  it.each([
    ['a sitemap without a namespace', '<urlset><url><loc>https://example.com/a</loc></url></urlset>'],
    [
      'a sitemap with a wrong namespace',
      '<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>https://example.com/a</loc></url></urlset>',
    ],
    [
      'a sitemap with a namespace prefix',
      '<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>https://example.com/a</s:loc></s:url></s:urlset>',
    ],
    ['a sitemap with element names in capitals', '<URLSET><URL><LOC>https://example.com/a</LOC></URL></URLSET>'],
    [
      'a sitemap with a byte order mark',
      '\uFEFF<?xml version="1.0"?><urlset><url><loc>https://example.com/a</loc></url></urlset>',
    ],
    [
      'a sitemap with white space before the XML declaration',
      '\n  <?xml version="1.0"?><urlset><url><loc>https://example.com/a</loc></url></urlset>',
    ],
    [
      'a sitemap with a stylesheet and a comment',
      '<?xml version="1.0"?><?xml-stylesheet href="s.xsl"?><!-- c --><urlset><url><loc>https://example.com/a</loc></url></urlset>',
    ],
    ['a sitemap with a relative URL', '<urlset><url><loc>/a</loc></url></urlset>'],
    ['a sitemap with a URL without a scheme', '<urlset><url><loc>//example.com/a</loc></url></urlset>'],
    [
      'an RSS feed',
      '<rss version="2.0"><channel><link>https://example.com/</link><item><title>A</title><link>https://example.com/a</link></item></channel></rss>',
    ],
    [
      'an Atom feed',
      '<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/><entry><link rel="edit" href="/e"/><link href="https://example.com/a"/></entry></feed>',
    ],
    ['a text file with one URL per line', 'https://example.com/a\r\n'],
    ['a text file with comments and empty lines', '# our pages\n\n  https://example.com/a\n\n'],
    ['a sitemap compressed with gzip', gzipSync(buildUrlset('<url><loc>https://example.com/a</loc></url>'))],
    [
      'a sitemap that also lists images and translations',
      buildUrlset(
        '<url><loc>https://example.com/a</loc><image:image><image:loc>https://example.com/i.png</image:loc></image:image><xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>',
      ),
    ],
  ])('readSitemap reads %s', async (_what, sitemap) => {
    expect(await readInChunks(sitemap)).toMatchObject({ problem: undefined });
    expect(listUrls(await readInChunks(sitemap))).toEqual(['https://example.com/a']);
    expect(listUrls(await readInChunks(sitemap, 100_000))).toEqual(['https://example.com/a']);
  });

  it('readSitemap reads the sitemaps that a sitemap index lists', async () => {
    const index = '<sitemapindex><sitemap><loc>/s1.xml.gz</loc><lastmod>2026-01-01</lastmod></sitemap></sitemapindex>';
    expect((await readInChunks(index)).entries).toEqual([
      { kind: 'sitemap', url: 'https://example.com/s1.xml.gz', modified: '2026-01-01' },
    ]);
  });

  it('readSitemap decodes sitemaps in other charsets than UTF-8', async () => {
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>https://example.com/ü</loc></url></urlset>',
      'latin1',
    );
    expect(listUrls(await readInChunks(latin, 1_000))).toEqual(['https://example.com/%C3%BC']);
    const wide = Buffer.from('\uFEFF<urlset><url><loc>https://example.com/ü</loc></url></urlset>', 'utf16le');
    expect(listUrls(await readInChunks(wide, 1_000))).toEqual(['https://example.com/%C3%BC']);
  });

  it('readSitemap decodes UTF-8 in a sitemap that declares UTF-16 without a byte order mark', async () => {
    const sitemap =
      '<?xml version="1.0" encoding="utf-16"?><urlset><url><loc>https://example.com/ü</loc></url></urlset>';
    expect(listUrls(await readInChunks(sitemap, 1_000))).toEqual(['https://example.com/%C3%BC']);
  });

  it('if an RSS item contains an image with a url element, readSitemap returns the link of the item, not the URL of the image', async () => {
    const image = '<image><url>https://example.com/a.jpg</url><link>https://example.com/</link></image>';
    const feed = `<rss><channel><item><link>https://example.com/a</link>${image}</item></channel></rss>`;
    expect(listUrls(await readInChunks(feed))).toEqual(['https://example.com/a']);
  });

  it('if the end tag of an entry is missing, readSitemap returns the URL of the next entry', async () => {
    const sitemap = buildUrlset('<url><loc>/a</loc>', '<url><loc>/b</loc></url>');
    expect(listUrls(await readInChunks(sitemap))).toContain('https://example.com/b');
  });

  it('readSitemap reads deeply nested elements in linear time, and reports the sitemap as unreadable at the maximum depth', async () => {
    const nestedMenus = `${'<a>'.repeat(9_000)}${'</a>'.repeat(9_000)}`;
    const sitemap = buildUrlset(nestedMenus.repeat(100), '<url><loc>https://example.com/a</loc></url>');
    const read = await readInChunks(sitemap, 100_000);
    expect(read).toMatchObject({ entries: [{ url: 'https://example.com/a' }], problem: undefined });
    const deep = readInChunks(`<urlset>${'<a>'.repeat(1_000_000)}`, 100_000);
    await expect(deep).rejects.toThrow(new SitemapUnreadable('expected at most 10000 nested elements, found more'));
  });

  it('readSitemap continues after malformed XML, and reports the first error', async () => {
    const malformed =
      '<urlset><url><loc>https://example.com/a</loc><b></url><url><loc>https://example.com/b</loc></url></urlset>';
    const { entries, problem } = await readInChunks(malformed);
    expect(entries.map(({ url }) => url)).toEqual(['https://example.com/a', 'https://example.com/b']);
    expect(problem).toMatch(/well-formed XML, found: 1:/);
    const cut = buildUrlset('<url><loc>https://example.com/a</loc></url>', '<url><loc>https://exam').slice(0, -9);
    expect(await readInChunks(cut)).toMatchObject({ entries: [{ url: 'https://example.com/a' }] });
    expect((await readInChunks(cut)).problem).toMatch(/well-formed/);
  });

  it.each([1, 7, 1_000])(
    'if a sitemap arrives in chunks of %i bytes, readSitemap accepts unescaped ampersands in URLs',
    async (size) => {
      const sitemap = buildUrlset(
        '<url><loc>https://example.com/a?x=1&y=2&zz;3</loc></url>',
        '<url><loc><![CDATA[https://example.com/b?x=1&y=2]]></loc></url>',
        '<url><loc>https://example.com/c?x=1&amp;y=2&#38;z=3</loc></url>',
      );
      const found = await readInChunks(sitemap, size);
      expect(listUrls(found)).toEqual([
        'https://example.com/a?x=1&y=2&zz;3',
        'https://example.com/b?x=1&y=2',
        'https://example.com/c?x=1&y=2&z=3',
      ]);
      expect(found.problem).toBeUndefined();
    },
  );

  it('readSitemap skips invalid URLs, and reports the first invalid URL', async () => {
    const sitemap = buildUrlset(
      '<url><loc>mailto:a@example.com</loc></url>',
      '<url><loc></loc></url>',
      '<url><loc>/a</loc></url>',
    );
    expect(await readInChunks(sitemap)).toMatchObject({ entries: [{ url: 'https://example.com/a' }] });
    expect((await readInChunks(sitemap)).problem).toContain('mailto:a@example.com');
  });

  it.each([
    ['an empty file', '', /empty/],
    ['white space', ' \n ', /empty/],
    ['an HTML page', '<!DOCTYPE html><html><body>No</body></html>', /HTML page/],
    ['an XHTML page', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>', /HTML page/],
    ['prose', 'Nothing to see here', /Nothing to see/],
    ['binary data', Buffer.alloc(50_000, 1), /line that is too long/],
    ['invalid gzip', gzipSync('x'.repeat(5_000)).subarray(0, 20), /gzip/],
    ['a gzip bomb', gzipSync(Buffer.alloc(120 * 1024 * 1024, '\n')), /at most/],
  ])('readSitemap rejects %s', async (_what, sitemap, message) => {
    const reading = readInChunks(sitemap, 65_536);
    await expect(reading).rejects.toThrow(SitemapUnreadable);
    await expect(reading).rejects.toThrow(message);
  });

  it('readSitemap does not expand XML entities', async () => {
    const laughs = `<!DOCTYPE u [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://example.com/&b;</loc></url></urlset>`;
    expect(listUrls(await readInChunks(laughs, 1_000))).toEqual(['https://example.com/&b;']);
  });

  it('readSitemap yields entries before the whole sitemap is read', async () => {
    let sent = 0;
    const yieldEndlessSitemap = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<urlset>');
      for (; sent < 50_000; sent += 1) {
        yield await Promise.resolve(Buffer.from(`<url><loc>https://example.com/${sent}</loc></url>`));
      }
      yield Buffer.from('</urlset>');
    };
    const reading = readSitemap(yieldEndlessSitemap(), BASE);
    let ahead = 0;
    let entries = 0;
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
      entries += 1;
      ahead = Math.max(ahead, sent - entries);
    }
    expect(entries).toBe(50_000);
    expect(ahead).toBeLessThan(5);
  });
});
