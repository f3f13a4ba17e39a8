import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { SitemapUnreadable } from './sitemap-bytes.js';

/** An entry as it is written. */
export interface XmlEntry {
  readonly kind: 'page' | 'sitemap';
  readonly location: string;
  readonly modified: string | undefined;
}

/** By the local name of the element that holds an entry, what the entry is. */
const HOLDERS: Readonly<Record<string, XmlEntry['kind'] | undefined>> = {
  url: 'page',
  sitemap: 'sitemap',
  item: 'page',
  entry: 'page',
};
/** Children of a holder by local name. Those of others, such as the `loc` of an image, are not an entry's. */
const LOCATIONS = new Set(['loc', 'link']);
const DATES = new Set(['lastmod', 'pubdate', 'updated']);
/** Of what is longer, no more is kept: it is no address and no date. */
const LONGEST_TEXT = 4_096;

/** Finds the entries in the XML of a sitemap, an index or a feed as it is written to it. Namespaces are not looked at. */
export class XmlSitemap {
  /** What is not well formed, first. */
  problem: string | undefined;
  readonly #parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  readonly #open: string[] = [];
  /** What may be the beginning of an entity. */
  #heldBack = '';
  #found: XmlEntry[] = [];
  #text = '';
  #location = '';
  #modified: string | undefined;

  constructor() {
    this.#parser.on('error', (error) => {
      this.problem ??= error.message;
    });
    this.#parser.on('opentag', (tag) => {
      this.#openTag(tag);
    });
    this.#parser.on('text', (text) => {
      this.#addText(text);
    });
    this.#parser.on('cdata', (text) => {
      this.#addText(text.replaceAll('&amp;', '&'));
    });
    this.#parser.on('closetag', () => {
      this.#closeTag();
    });
  }

  /** @throws SitemapUnreadable when it is a page of HTML */
  write(text: string): readonly XmlEntry[] {
    const whole = this.#heldBack + text;
    this.#heldBack = /&[^;\s<&]{0,30}$/.exec(whole)?.[0] ?? '';
    this.#parser.write(escaped(whole.slice(0, whole.length - this.#heldBack.length)));
    return this.#taken();
  }

  close(): readonly XmlEntry[] {
    this.#parser.write(escaped(this.#heldBack)).close();
    return this.#taken();
  }

  #taken(): readonly XmlEntry[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #openTag(tag: SaxesTagPlain): void {
    const name = localName(tag.name);
    if (this.#open.length === 0 && name === 'html')
      throw new SitemapUnreadable('expected a sitemap, found a page of HTML');
    this.#open.push(name);
    this.#text = '';
    if (HOLDERS[name] !== undefined) [this.#location, this.#modified] = ['', undefined];
    if (name === 'link' && this.#holder() !== undefined) this.#linkOf(tag);
  }

  /** Atom writes the address into the tag. */
  #linkOf({ attributes }: SaxesTagPlain): void {
    const { href, rel = 'alternate' } = attributes;
    if (href !== undefined && rel === 'alternate' && this.#open.at(-2) === 'entry') this.#location ||= href;
  }

  #addText(text: string): void {
    if (this.#text.length < LONGEST_TEXT) this.#text += text.slice(0, LONGEST_TEXT);
  }

  #closeTag(): void {
    const name = this.#open.at(-1) ?? '';
    const words = this.#text.trim();
    if (this.#holder() !== undefined && LOCATIONS.has(name)) this.#location ||= words;
    if (this.#holder() !== undefined && DATES.has(name)) this.#modified = words === '' ? undefined : words;
    const kind = HOLDERS[name];
    if (kind !== undefined && this.#location !== '') {
      this.#found.push({ kind, location: this.#location, modified: this.#modified });
    }
    this.#open.pop();
    this.#text = '';
  }

  /** The element around the one that is open now, if it is one that holds an entry. */
  #holder(): string | undefined {
    const parent = this.#open.at(-2) ?? '';
    return HOLDERS[parent] === undefined ? undefined : parent;
  }
}

/** Many sitemaps hold addresses with a bare `&`, which would swallow what follows it. In CDATA it is undone again. */
function escaped(text: string): string {
  return text.replace(/&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);)/gi, '&amp;');
}

function localName(name: string): string {
  return (name.split(':').at(-1) ?? name).toLowerCase();
}
