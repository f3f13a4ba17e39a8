import { isoDate } from '../iso-date.js';
import { textOf } from './parse-document.js';

/** What a page says of itself outside its text. Addresses are as they are written. */
export interface PageHead {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Such as `en` or `pt-BR`. */
  readonly language: string | undefined;
  readonly author: string | undefined;
  /** ISO 8601. */
  readonly published: string | undefined;
  readonly modified: string | undefined;
  readonly canonical: string | undefined;
  /** Where a refresh sends the reader within some seconds. */
  readonly refresh: string | undefined;
  /** The contents of the `robots` meta tags, those for this crawler by name included. */
  readonly robots: readonly string[];
  /** What relative addresses are relative to. */
  readonly base: string | undefined;
}

const MAX_TITLE = 300;
const MAX_DESCRIPTION = 1_000;
/** A refresh after longer than this is a page that reloads itself, not one that moved. */
const MAX_REFRESH_SECONDS = 10;

export function readHead(document: Document, productToken: string): PageHead {
  const meta = metaContents(document);
  const first = (...names: readonly string[]): string | undefined => names.flatMap((name) => meta.get(name) ?? [])[0];
  return {
    title: cut(titleOf(document) ?? first('og:title', 'twitter:title'), MAX_TITLE),
    description: cut(first('description', 'og:description', 'twitter:description'), MAX_DESCRIPTION),
    language: languageOf(document) ?? first('content-language', 'language'),
    author: cut(first('author', 'article:author'), MAX_TITLE),
    published: isoDate(first('article:published_time', 'datepublished', 'date', 'dc.date', 'dcterms.created')),
    modified: isoDate(
      first('article:modified_time', 'og:updated_time', 'datemodified', 'last-modified', 'dcterms.modified'),
    ),
    canonical: attribute(document, 'link[rel~="canonical" i][href]', 'href'),
    refresh: refreshTarget(first('http-equiv:refresh')),
    robots: [...(meta.get('robots') ?? []), ...(meta.get(productToken.toLowerCase()) ?? [])],
    base: attribute(document, 'base[href]', 'href'),
  };
}

/** The contents of all meta tags by name, lower case; those of `http-equiv` under `http-equiv:…`. */
function metaContents(document: Document): ReadonlyMap<string, readonly string[]> {
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

function titleOf(document: Document): string | undefined {
  // A title element of an SVG names a picture.
  const title = [...document.querySelectorAll('title')].find((element) => element.closest('svg') === null);
  return [textOf(title ?? null), textOf(document.querySelector('h1'))].find((text) => text !== '');
}

function languageOf(document: Document): string | undefined {
  const language = document.querySelector('html[lang]')?.getAttribute('lang')?.trim() ?? '';
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(language) ? language : undefined;
}

function refreshTarget(content: string | undefined): string | undefined {
  const [, seconds = '', quoted] =
    /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content ?? '') ?? [];
  return quoted !== undefined && Number(seconds) <= MAX_REFRESH_SECONDS ? quoted.trim() : undefined;
}

function attribute(document: Document, selector: string, name: string): string | undefined {
  const value = document.querySelector(selector)?.getAttribute(name)?.trim() ?? '';
  return value === '' ? undefined : value;
}

function cut(text: string | undefined, length: number): string | undefined {
  const words = text?.replace(/\s+/g, ' ').trim() ?? '';
  return words === '' ? undefined : words.slice(0, length);
}
