import { getNormalizedText } from './parse-document.js';

/** Holds the metadata in the head of a page. URLs are not resolved. */
export interface PageHead {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The language tag of the page, such as `en` or `pt-BR`. */
  readonly language: string | undefined;
  readonly author: string | undefined;
  /** The publication date, ISO 8601. */
  readonly published: string | undefined;
  readonly modified: string | undefined;
  readonly canonical: string | undefined;
  /** The target URL of a `refresh` meta tag with a delay of at most 10 seconds. */
  readonly refresh: string | undefined;
  /** The contents of the `robots` meta tags, and of meta tags with the name of this crawler. */
  readonly robots: readonly string[];
  /** The base of relative URLs: the `href` of the `base` element. */
  readonly base: string | undefined;
}

const MAX_TITLE = 300;
const MAX_DESCRIPTION = 1_000;
/** Maximum delay of a `refresh` meta tag that counts as a redirect. With a longer delay, it reloads the page. */
const MAX_REFRESH_SECONDS = 10;

export function readHead(document: Document, productToken: string): PageHead {
  const meta = readMetaContents(document);
  const readFirstMeta = (...names: readonly string[]): string | undefined =>
    names.flatMap((name) => meta.get(name) ?? [])[0];
  return {
    title: truncateText(findTitle(document) ?? readFirstMeta('og:title', 'twitter:title'), MAX_TITLE),
    description: truncateText(readFirstMeta('description', 'og:description', 'twitter:description'), MAX_DESCRIPTION),
    language: findLanguage(document) ?? readFirstMeta('content-language', 'language'),
    author: truncateText(readFirstMeta('author', 'article:author'), MAX_TITLE),
    published: toIsoDate(
      readFirstMeta('article:published_time', 'datepublished', 'date', 'dc.date', 'dcterms.created'),
    ),
    modified: toIsoDate(
      readFirstMeta('article:modified_time', 'og:updated_time', 'datemodified', 'last-modified', 'dcterms.modified'),
    ),
    canonical: readAttribute(document, 'link[rel~="canonical" i][href]', 'href'),
    refresh: parseRefresh(readFirstMeta('http-equiv:refresh')),
    robots: [...(meta.get('robots') ?? []), ...(meta.get(productToken.toLowerCase()) ?? [])],
    base: readAttribute(document, 'base[href]', 'href'),
  };
}

/** Maps the names of meta tags in lower case to their contents. `http-equiv` names get the prefix `http-equiv:`. */
function readMetaContents(document: Document): ReadonlyMap<string, readonly string[]> {
  const contents = new Map<string, string[]>();
  for (const tag of document.querySelectorAll('meta[content]')) {
    if (tag.closest('noscript') !== null) continue;
    const equivalent = tag.getAttribute('http-equiv');
    const name = tag.getAttribute('name') ?? tag.getAttribute('property') ?? tag.getAttribute('itemprop');
    const key = equivalent === null ? name?.trim().toLowerCase() : `http-equiv:${equivalent.trim().toLowerCase()}`;
    const content = (tag.getAttribute('content') ?? '').trim();
    if (key !== undefined && content !== '') contents.set(key, [...(contents.get(key) ?? []), content]);
  }
  return contents;
}

function findTitle(document: Document): string | undefined {
  // An SVG can have a title element too.
  const title = [...document.querySelectorAll('title')].find((element) => element.closest('svg') === null);
  return [getNormalizedText(title ?? null), getNormalizedText(document.querySelector('h1'))].find(
    (text) => text !== '',
  );
}

function findLanguage(document: Document): string | undefined {
  const language = document.querySelector('html[lang]')?.getAttribute('lang')?.trim() ?? '';
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(language) ? language : undefined;
}

function parseRefresh(content: string | undefined): string | undefined {
  const [, seconds = '', quoted] =
    /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content ?? '') ?? [];
  return quoted !== undefined && Number(seconds) <= MAX_REFRESH_SECONDS ? quoted.trim() : undefined;
}

function readAttribute(document: Document, selector: string, name: string): string | undefined {
  const value = document.querySelector(selector)?.getAttribute(name)?.trim() ?? '';
  return value === '' ? undefined : value;
}

function truncateText(text: string | undefined, length: number): string | undefined {
  const words = text?.replace(/\s+/g, ' ').trim() ?? '';
  return words === '' ? undefined : words.slice(0, length);
}

/**
 * Converts a date in any format that `Date.parse` accepts to ISO 8601. Returns undefined if the text is not a date with a year.
 */
export function toIsoDate(text: string | null | undefined): string | undefined {
  if (text == null || !/\d{4}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
