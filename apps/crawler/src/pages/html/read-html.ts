import { parsePageUrl } from '@quarry/contracts/page-url';
import { decodeWebText } from '../decode-web-text.js';
import { toIsoDate, extractMainContent, type Extraction } from './main-content.js';
import {
  detectScriptDependence,
  hasPasswordField,
  isShortEnoughForLoginPage,
  isSoft404,
  needsBrowserRendering,
} from './classify-page.js';
import { getNormalizedText, parseDocument } from './parse-document.js';
import { toMarkdown } from './to-markdown.js';

export interface HtmlInput {
  readonly bytes: Uint8Array;
  /** The charset in the `Content-Type` header. */
  readonly charset: string | undefined;
  readonly url: string;
  /** The name of the crawler in `robots` directives. */
  readonly productToken: string;
}

/** Holds the text, metadata and links of an HTML page. URLs are absolute and not normalized. */
export interface HtmlPage {
  readonly markdown: string;
  readonly extraction: Extraction;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly language: string | undefined;
  readonly author: string | undefined;
  /** The publication date, ISO 8601. */
  readonly published: string | undefined;
  readonly modified: string | undefined;
  /** The canonical URL that the page declares. */
  readonly canonical: string | undefined;
  /** The target URL of a `refresh` meta tag that counts as a redirect. */
  readonly refresh: string | undefined;
  /** The contents of the `robots` meta tags, and of meta tags with the name of this crawler. */
  readonly robots: readonly string[];
  readonly links: readonly string[];
  /** True if scripts create the text of the page. */
  readonly needsRendering: boolean;
  /** True for an error page with the status 200. */
  readonly isSoft404: boolean;
  /** True for a page whose only content is a login form. */
  readonly isLoginPage: boolean;
}

export function readHtml({ bytes, charset, url, productToken }: HtmlInput): HtmlPage {
  const document = parseDocument(decodeWebText(bytes, charset).text);
  const head = readPageHead(document, productToken);
  const base = URL.parse(head.base ?? '', url)?.href ?? url;
  const links = listLinkedUrls(document, base);
  const scriptDependence = detectScriptDependence(document);
  const hasPasswordForm = hasPasswordField(document);
  const main = extractMainContent(document, base);
  return {
    markdown: toMarkdown(main.root, base),
    extraction: main.extraction,
    title: head.title,
    description: head.description,
    language: head.language,
    author: head.author ?? main.author,
    published: head.published ?? main.published,
    modified: head.modified,
    canonical: resolveUrl(head.canonical, base),
    refresh: resolveUrl(head.refresh, base),
    robots: head.robots,
    links,
    needsRendering: needsBrowserRendering(scriptDependence, getNormalizedText(document.body).length),
    isSoft404: isSoft404(head.title, main.root),
    isLoginPage: hasPasswordForm && isShortEnoughForLoginPage(main.root),
  };
}

function resolveUrl(url: string | undefined, base: string): string | undefined {
  return url === undefined ? undefined : parsePageUrl(url, base);
}

/** Maximum number of links that are read from a page. */
const MAX_LINKS = 5_000;
const LINKS = 'a[href], area[href], link[rel~="next" i][href], link[rel~="prev" i][href], frame[src], iframe[src]';

/** Returns the absolute URLs of a page's links in order, without duplicates and `nofollow` links. */
function listLinkedUrls(document: Document, base: string): readonly string[] {
  const links = new Set<string>();
  for (const element of document.querySelectorAll(LINKS)) {
    if (links.size >= MAX_LINKS) break;
    if (isNofollowLink(element)) continue;
    const url = parsePageUrl(element.getAttribute('href') ?? element.getAttribute('src') ?? '', base);
    if (url !== undefined) links.add(url);
  }
  return [...links];
}

function isNofollowLink(element: Element): boolean {
  return /(?:^|\s)nofollow(?:\s|$)/i.test(element.getAttribute('rel') ?? '');
}

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
/** Maximum delay of a `refresh` meta tag that counts as a redirect. Tags with a longer delay only reload the page. */
const MAX_REFRESH_SECONDS = 10;

export function readPageHead(document: Document, productToken: string): PageHead {
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
    canonical: readFirstAttribute(document, 'link[rel~="canonical" i][href]', 'href'),
    refresh: parseRefreshUrl(readFirstMeta('http-equiv:refresh')),
    robots: [...(meta.get('robots') ?? []), ...(meta.get(productToken.toLowerCase()) ?? [])],
    base: readFirstAttribute(document, 'base[href]', 'href'),
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

function parseRefreshUrl(content: string | undefined): string | undefined {
  const [, seconds = '', quoted] =
    /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content ?? '') ?? [];
  return quoted !== undefined && Number(seconds) <= MAX_REFRESH_SECONDS ? quoted.trim() : undefined;
}

function readFirstAttribute(document: Document, selector: string, name: string): string | undefined {
  const value = document.querySelector(selector)?.getAttribute(name)?.trim() ?? '';
  return value === '' ? undefined : value;
}

function truncateText(text: string | undefined, maxLength: number): string | undefined {
  const words = text?.replace(/\s+/g, ' ').trim() ?? '';
  return words === '' ? undefined : words.slice(0, maxLength);
}
