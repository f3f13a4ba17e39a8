import { readAddress } from '../addresses/read-address.js';
import { sitemapText, SitemapUnreadable } from './sitemap-bytes.js';
import { TextSitemap } from './text-sitemap.js';
import { XmlSitemap } from './xml-sitemap.js';

/** One line of a sitemap: a page, or a further sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap';
  /** Absolute, as the sitemap writes it. */
  readonly address: string;
  /** When it was last changed, as it is written there. */
  readonly modified: string | undefined;
}

const HTML = /^<(?:!doctype\s+html|html[\s>])/i;

/**
 * Reads a sitemap as it comes, holding a piece of it at a time: the XML of sitemaps.org under any namespace, an index, a feed
 * (RSS, Atom), or lines of text. Addresses may be relative. What is not well formed is passed over as far as that goes.
 *
 * @param base the sitemap's address
 * @returns the entries one by one, and at the end what is wrong with it; undefined when nothing is
 * @throws SitemapUnreadable when it is none of these; what `body` fails with
 */
export async function* readSitemap(
  body: AsyncIterable<Uint8Array>,
  base: string,
): AsyncGenerator<SitemapEntry, string | undefined> {
  const pieces = sitemapText(body);
  const start = await firstText(pieces);
  if (start === '') throw new SitemapUnreadable('expected a sitemap, found an empty file');
  if (HTML.test(start)) throw new SitemapUnreadable('expected a sitemap, found a page of HTML');
  const whole = startingWith(start, pieces);
  return yield* start.startsWith('<') ? readXml(whole, base) : readLines(whole, base);
}

/** The text up to something that is no space, without a byte order mark and the space before it. */
async function firstText(pieces: AsyncGenerator<string>): Promise<string> {
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    const text = next.value.replace(/^[\uFEFF\s]+/, '');
    if (text !== '') return text;
  }
  return '';
}

async function* startingWith(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* readXml(text: AsyncIterable<string>, base: string): AsyncGenerator<SitemapEntry, string | undefined> {
  const xml = new XmlSitemap();
  let unusable: string | undefined;
  const usable = (found: ReturnType<XmlSitemap['write']>): readonly SitemapEntry[] =>
    found.flatMap(({ kind, location, modified }) => {
      const address = readAddress(location, base);
      if (address === undefined) unusable ??= location;
      return address === undefined ? [] : [{ kind, address, modified }];
    });
  for await (const piece of text) yield* usable(xml.write(piece));
  yield* usable(xml.close());
  if (xml.problem !== undefined) return `it is not well-formed XML: ${xml.problem}`;
  return unusable === undefined ? undefined : `it holds what is no address: ${unusable.slice(0, 200)}`;
}

async function* readLines(text: AsyncIterable<string>, base: string): AsyncGenerator<SitemapEntry, string | undefined> {
  const lines = new TextSitemap(base);
  for await (const piece of text) yield* pagesOf(lines.write(piece));
  yield* pagesOf(lines.close());
  if (!lines.hasAddresses)
    throw new SitemapUnreadable(`expected a sitemap, found ${JSON.stringify(lines.unusable ?? '')}`);
  return lines.unusable === undefined ? undefined : `it holds what is no address: ${lines.unusable}`;
}

function pagesOf(addresses: readonly string[]): readonly SitemapEntry[] {
  return addresses.map((address) => ({ kind: 'page', address, modified: undefined }));
}
