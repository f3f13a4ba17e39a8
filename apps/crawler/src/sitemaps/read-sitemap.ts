import { parsePageUrl } from '@quarry/contracts';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { decodeSitemap, SitemapUnreadable } from './decode-sitemap.js';
import { TextSitemap } from './text-sitemap.js';

/** Describes an entry that a sitemap lists: a page or another sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap';
  /** The absolute URL of the page or sitemap, not normalized. */
  readonly url: string;
  /** The date of the last change of the page or sitemap, not parsed. Undefined if the sitemap contains none. */
  readonly modified: string | undefined;
}

const HTML = /^<(?:!doctype\s+html|html[\s>])/i;

/**
 * Reads a sitemap as a stream: a sitemap or index in XML in any namespace, a feed (RSS, Atom), or lines of text.
 * Resolves relative URLs. Skips malformed parts where possible.
 *
 * @param base the URL of the sitemap
 * @returns the entries one by one, then a description of the first malformed part, or undefined if there is none
 * @throws SitemapUnreadable if the content is none of these formats; the error of `body`
 */
export async function* readSitemap(
  body: AsyncIterable<Uint8Array>,
  base: string,
): AsyncGenerator<SitemapEntry, string | undefined> {
  const chunks = decodeSitemap(body);
  const start = await readSitemapStart(chunks);
  if (start === '') throw new SitemapUnreadable('expected a sitemap, found an empty file');
  if (HTML.test(start)) throw new SitemapUnreadable('expected a sitemap, found an HTML page');
  const text = prependSitemapStart(start, chunks);
  return yield* start.startsWith('<') ? readXmlSitemap(text, base) : readTextSitemap(text, base);
}

/**
 * Reads a sitemap's text up to the first chunk that is not blank. Removes the byte order mark and leading white space.
 */
async function readSitemapStart(chunks: AsyncGenerator<string>): Promise<string> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    const text = next.value.replace(/^[\uFEFF\s]+/, '');
    if (text !== '') return text;
  }
  return '';
}

async function* prependSitemapStart(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* readXmlSitemap(
  text: AsyncIterable<string>,
  base: string,
): AsyncGenerator<SitemapEntry, string | undefined> {
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

async function* readTextSitemap(
  text: AsyncIterable<string>,
  base: string,
): AsyncGenerator<SitemapEntry, string | undefined> {
  const lines = new TextSitemap(base);
  for await (const chunk of text) yield* createPageEntries(lines.readChunk(chunk));
  yield* createPageEntries(lines.readLastLine());
  if (!lines.hasUrls)
    throw new SitemapUnreadable(`expected a sitemap, found ${JSON.stringify(lines.invalidUrl ?? '')}`);
  return lines.invalidUrl === undefined ? undefined : `expected the URL of a web page, found: ${lines.invalidUrl}`;
}

function createPageEntries(urls: readonly string[]): readonly SitemapEntry[] {
  return urls.map((url) => ({ kind: 'page', url, modified: undefined }));
}

/** Holds an entry of an XML sitemap. Its URL and date are not parsed. */
export interface XmlEntry {
  readonly kind: 'page' | 'sitemap';
  readonly location: string;
  readonly modified: string | undefined;
}

/** Maps the names of XML elements, without namespace prefix, to the kind of entry that they contain. */
const ENTRY_ELEMENTS = new Map<string, XmlEntry['kind']>([
  ['url', 'page'],
  ['sitemap', 'sitemap'],
  ['item', 'page'],
  ['entry', 'page'],
]);
/** Lists the child elements with the URL of an entry. Deeper elements, such as the `loc` of an image, do not count. */
const URL_ELEMENTS = new Set(['loc', 'link']);
const DATE_ELEMENTS = new Set(['lastmod', 'pubdate', 'updated']);
/** Maximum stored text length of an XML element, in characters. No URL or date is longer. */
const MAX_TEXT_LENGTH = 4_096;

/**
 * Maximum depth of nested XML elements, which limits the memory for open elements. Texts in feeds can contain many HTML
 * tags without end tags.
 */
const MAX_DEPTH = 10_000;

interface OpenElement {
  readonly name: string;
  /** The name of the outermost entry that contains this element or is this element. Undefined outside of entries. */
  readonly entryName: string | undefined;
}

/** Finds the entries in the XML of a sitemap, an index or a feed. Accepts the text in chunks. Ignores namespaces. */
export class XmlSitemap {
  /** Describes the first error in the XML so far; undefined if there is none. */
  problem: string | undefined;
  readonly #parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  readonly #open: OpenElement[] = [];
  /** The last characters of the previous chunk, if they may be the start of an XML entity such as `&amp;`. */
  #incompleteEntity = '';
  #found: XmlEntry[] = [];
  #text = '';
  #location = '';
  #modified: string | undefined;

  constructor() {
    this.#parser.on('error', (error) => {
      this.problem ??= error.message;
    });
    this.#parser.on('opentag', (tag) => {
      this.#handleOpenTag(tag);
    });
    this.#parser.on('text', (text) => {
      this.#addText(text);
    });
    this.#parser.on('cdata', (text) => {
      this.#addText(text.replaceAll('&amp;', '&'));
    });
    this.#parser.on('closetag', () => {
      this.#handleCloseTag();
    });
  }

  /** Returns the entries whose closing tag is in this chunk. @throws SitemapUnreadable for an HTML page */
  readChunk(chunk: string): readonly XmlEntry[] {
    const text = this.#incompleteEntity + chunk;
    this.#incompleteEntity = /&[^;\s<&]{0,30}$/.exec(text)?.[0] ?? '';
    this.#parser.write(escapeAmpersands(text.slice(0, text.length - this.#incompleteEntity.length)));
    return this.#removeFoundEntries();
  }

  readLastEntries(): readonly XmlEntry[] {
    this.#parser.write(escapeAmpersands(this.#incompleteEntity)).close();
    return this.#removeFoundEntries();
  }

  #removeFoundEntries(): readonly XmlEntry[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #handleOpenTag(tag: SaxesTagPlain): void {
    const name = removeNamespacePrefix(tag.name);
    const parent = this.#open.at(-1);
    if (parent === undefined && name === 'html') throw new SitemapUnreadable('expected a sitemap, found an HTML page');
    if (this.#open.length >= MAX_DEPTH)
      throw new SitemapUnreadable(`expected at most ${MAX_DEPTH} nested elements, found more`);
    const element = { name, entryName: parent?.entryName ?? (ENTRY_ELEMENTS.has(name) ? name : undefined) };
    this.#open.push(element);
    this.#text = '';
    if (isEntry(element)) [this.#location, this.#modified] = ['', undefined];
    if (name === 'link' && isEntry(parent)) this.#readAtomLink(tag, parent.name);
  }

  /** Reads the URL of an entry of an Atom feed. It is in the `href` attribute of `link`, not in the text. */
  #readAtomLink({ attributes }: SaxesTagPlain, entryName: string): void {
    const { href, rel = 'alternate' } = attributes;
    if (href !== undefined && rel === 'alternate' && entryName === 'entry') this.#location ||= href;
  }

  #addText(text: string): void {
    if (this.#text.length < MAX_TEXT_LENGTH) this.#text += text.slice(0, MAX_TEXT_LENGTH);
  }

  #handleCloseTag(): void {
    const element = this.#open.pop();
    const { name = '' } = element ?? {};
    const text = this.#text.trim();
    const isInEntry = isEntry(this.#open.at(-1));
    if (isInEntry && URL_ELEMENTS.has(name)) this.#location ||= text;
    if (isInEntry && DATE_ELEMENTS.has(name)) this.#modified = text === '' ? undefined : text;
    const kind = isEntry(element) ? ENTRY_ELEMENTS.get(name) : undefined;
    if (kind !== undefined && this.#location !== '')
      this.#found.push({ kind, location: this.#location, modified: this.#modified });
    this.#text = '';
  }
}

/**
 * Returns whether an open element is an entry. An element inside an entry of another name is no entry, for example the
 * `url` of an image in an RSS item. An element inside an entry of the same name is an entry, because only the end tag of
 * the outer entry is missing.
 */
function isEntry(element: OpenElement | undefined): element is OpenElement {
  return element !== undefined && element.name === element.entryName;
}

/** Escapes bare ampersands, which many sitemaps contain in URLs. The handler of CDATA sections reverses this. */
function escapeAmpersands(text: string): string {
  return text.replace(/&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);)/gi, '&amp;');
}

function removeNamespacePrefix(name: string): string {
  return (name.split(':').at(-1) ?? name).toLowerCase();
}
