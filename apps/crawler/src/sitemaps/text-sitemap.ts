import { readAddress } from '../addresses/read-address.js';
import { SitemapUnreadable } from './sitemap-bytes.js';

const ADDRESS = /^(?:https?:\/\/|\/)\S+$/i;
const LONGEST_LINE = 10_000;
const SHOWN = 60;

/** Finds the addresses in lines of text as they are written to it. */
export class TextSitemap {
  hasAddresses = false;
  /** The first line that is no address. */
  unusable: string | undefined;
  readonly #base: string;
  #rest = '';

  constructor(base: string) {
    this.#base = base;
  }

  /** @throws SitemapUnreadable when it is not made of lines */
  write(text: string): readonly string[] {
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LONGEST_LINE) throw new SitemapUnreadable('expected a sitemap, found a line without end');
    return lines.flatMap((line) => this.#addressIn(line));
  }

  close(): readonly string[] {
    return this.#addressIn(this.#rest);
  }

  #addressIn(line: string): readonly string[] {
    const words = line.trim();
    if (words === '' || words.startsWith('#')) return [];
    const address = ADDRESS.test(words) ? readAddress(words, this.#base) : undefined;
    if (address === undefined) this.unusable ??= words.slice(0, SHOWN);
    else this.hasAddresses = true;
    return address === undefined ? [] : [address];
  }
}
