import { parsePageUrl } from '../urls/normalize-url.js';
import { decodeSitemap, SitemapUnreadable } from './decode-sitemap.js';
import { TextSitemap } from './text-sitemap.js';
import { XmlSitemap } from './xml-sitemap.js';

/** Describes an entry of a sitemap: a page or another sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap';
  /** The absolute URL of the page or sitemap, not normalized. */
  readonly url: string;
  /** The date of the last change as the sitemap contains it, not parsed. */
  readonly modified: string | undefined;
}

const HTML = /^<(?:!doctype\s+html|html[\s>])/i;

/**
 * Reads a sitemap as a stream: XML of sitemaps.org in any namespace, an index, a feed (RSS, Atom), or lines of text. Resolves
 * relative URLs. Skips malformed parts where possible.
 *
 * @param base the URL of the sitemap
 * @returns the entries one by one, then a description of the first malformed part, or undefined if there is none
 * @throws SitemapUnreadable for other content; the error of `body`
 */
export async function* readSitemap(
  body: AsyncIterable<Uint8Array>,
  base: string,
): AsyncGenerator<SitemapEntry, string | undefined> {
  const chunks = decodeSitemap(body);
  const start = await readSitemapStart(chunks);
  if (start === '') throw new SitemapUnreadable('expected a sitemap, found an empty file');
  if (HTML.test(start)) throw new SitemapUnreadable('expected a sitemap, found an HTML page');
  const text = prependText(start, chunks);
  return yield* start.startsWith('<') ? readXml(text, base) : readLines(text, base);
}

/** Reads the text up to the first chunk that is not blank. Removes the byte order mark and leading white space. */
async function readSitemapStart(chunks: AsyncGenerator<string>): Promise<string> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    const text = next.value.replace(/^[\uFEFF\s]+/, '');
    if (text !== '') return text;
  }
  return '';
}

async function* prependText(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* readXml(text: AsyncIterable<string>, base: string): AsyncGenerator<SitemapEntry, string | undefined> {
  const xml = new XmlSitemap();
  let invalidUrl: string | undefined;
  const resolveEntries = (found: ReturnType<XmlSitemap['readChunk']>): readonly SitemapEntry[] =>
    found.flatMap(({ kind, location, modified }) => {
      const url = parsePageUrl(location, base);
      if (url === undefined) invalidUrl ??= location;
      return url === undefined ? [] : [{ kind, url, modified }];
    });
  for await (const chunk of text) yield* resolveEntries(xml.readChunk(chunk));
  yield* resolveEntries(xml.readLastEntries());
  if (xml.problem !== undefined) return `expected well-formed XML, found: ${xml.problem}`;
  return invalidUrl === undefined ? undefined : `expected the URL of a web page, found: ${invalidUrl.slice(0, 200)}`;
}

async function* readLines(text: AsyncIterable<string>, base: string): AsyncGenerator<SitemapEntry, string | undefined> {
  const lines = new TextSitemap(base);
  for await (const chunk of text) yield* toPageEntries(lines.readChunk(chunk));
  yield* toPageEntries(lines.readLastLine());
  if (!lines.hasUrls)
    throw new SitemapUnreadable(`expected a sitemap, found ${JSON.stringify(lines.invalidUrl ?? '')}`);
  return lines.invalidUrl === undefined ? undefined : `expected the URL of a web page, found: ${lines.invalidUrl}`;
}

function toPageEntries(urls: readonly string[]): readonly SitemapEntry[] {
  return urls.map((url) => ({ kind: 'page', url, modified: undefined }));
}
