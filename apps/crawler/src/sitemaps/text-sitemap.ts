import { parsePageUrl } from '@quarry/contracts';
import { SitemapUnreadable } from './decode-sitemap.js';

const URL_LINE = /^(?:https?:\/\/|\/)\S+$/i;
const MAX_LINE_LENGTH = 10_000;
const MAX_EXCERPT_LENGTH = 60;

/** Parses a sitemap that has one URL per line of text. Accepts the text in chunks. */
export class TextSitemap {
  hasUrls = false;
  /** The start of the first line that is not a URL; undefined if all lines are URLs. */
  invalidUrl: string | undefined;
  readonly #base: string;
  #rest = '';

  constructor(base: string) {
    this.#base = base;
  }

  /** Returns the URLs in the lines that end in this chunk. @throws SitemapUnreadable if a line is too long */
  readChunk(chunk: string): readonly string[] {
    const lines = (this.#rest + chunk).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE_LENGTH)
      throw new SitemapUnreadable('expected a sitemap, found a line that is too long');
    return lines.flatMap((line) => this.#parseUrlLine(line));
  }

  readLastLine(): readonly string[] {
    return this.#parseUrlLine(this.#rest);
  }

  #parseUrlLine(line: string): readonly string[] {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return [];
    const url = URL_LINE.test(text) ? parsePageUrl(text, this.#base) : undefined;
    if (url === undefined) this.invalidUrl ??= text.slice(0, MAX_EXCERPT_LENGTH);
    else this.hasUrls = true;
    return url === undefined ? [] : [url];
  }
}
