import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { SitemapUnreadable } from './decode-sitemap.js';

/** Holds an entry of an XML sitemap. Its URL and date are not parsed. */
export interface XmlEntry {
  readonly kind: 'page' | 'sitemap';
  readonly location: string;
  readonly modified: string | undefined;
}

/** Maps the names of XML elements, without namespace prefix, to the kind of entry that they contain. */
const ENTRY_ELEMENTS: Readonly<Record<string, XmlEntry['kind'] | undefined>> = {
  url: 'page',
  sitemap: 'sitemap',
  item: 'page',
  entry: 'page',
};
/** Lists the child elements with the URL of an entry. Deeper elements, such as the `loc` of an image, do not count. */
const URL_ELEMENTS = new Set(['loc', 'link']);
const DATE_ELEMENTS = new Set(['lastmod', 'pubdate', 'updated']);
/** Maximum stored text length of an element. No URL or date is longer. */
const MAX_TEXT_LENGTH = 4_096;

/** Finds the entries in the XML of a sitemap, an index or a feed. Accepts the text in chunks, and ignores namespaces. */
export class XmlSitemap {
  /** Describes the first error in the XML. */
  problem: string | undefined;
  readonly #parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  readonly #open: string[] = [];
  /** The end of the last chunk, if it may be the start of an XML entity such as `&amp;`. */
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

  /** Returns the entries that end in this chunk. @throws SitemapUnreadable for an HTML page */
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
    const name = getLocalName(tag.name);
    if (this.#open.length === 0 && name === 'html')
      throw new SitemapUnreadable('expected a sitemap, found an HTML page');
    this.#open.push(name);
    this.#text = '';
    if (ENTRY_ELEMENTS[name] !== undefined) [this.#location, this.#modified] = ['', undefined];
    if (name === 'link' && this.#getParentEntryElement() !== undefined) this.#readAtomLink(tag);
  }

  /** Reads the URL of an Atom entry, which is an attribute. */
  #readAtomLink({ attributes }: SaxesTagPlain): void {
    const { href, rel = 'alternate' } = attributes;
    if (href !== undefined && rel === 'alternate' && this.#open.at(-2) === 'entry') this.#location ||= href;
  }

  #addText(text: string): void {
    if (this.#text.length < MAX_TEXT_LENGTH) this.#text += text.slice(0, MAX_TEXT_LENGTH);
  }

  #handleCloseTag(): void {
    const name = this.#open.at(-1) ?? '';
    const text = this.#text.trim();
    if (this.#getParentEntryElement() !== undefined && URL_ELEMENTS.has(name)) this.#location ||= text;
    if (this.#getParentEntryElement() !== undefined && DATE_ELEMENTS.has(name))
      this.#modified = text === '' ? undefined : text;
    const kind = ENTRY_ELEMENTS[name];
    if (kind !== undefined && this.#location !== '') {
      this.#found.push({ kind, location: this.#location, modified: this.#modified });
    }
    this.#open.pop();
    this.#text = '';
  }

  /** Returns the name of the parent element if it is an entry. */
  #getParentEntryElement(): string | undefined {
    const parent = this.#open.at(-2) ?? '';
    return ENTRY_ELEMENTS[parent] === undefined ? undefined : parent;
  }
}

/** Escapes bare ampersands, which many sitemaps contain in URLs. The handler of CDATA reverses this. */
function escapeAmpersands(text: string): string {
  return text.replace(/&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);)/gi, '&amp;');
}

function getLocalName(name: string): string {
  return (name.split(':').at(-1) ?? name).toLowerCase();
}
