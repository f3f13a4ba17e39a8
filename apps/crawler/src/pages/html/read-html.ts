import { parsePageUrl } from '../../urls/normalize-url.js';
import { decodeWebText } from '../decode-web-text.js';
import { findScriptSigns, hasPasswordField, isAsShortAsLoginPage, isSoft404, needsRendering } from './classify-page.js';
import type { Extraction } from './choose-root.js';
import { extractMainContent } from './main-content.js';
import { getNormalizedText, parseDocument } from './parse-document.js';
import { readHead } from './read-head.js';
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
  /** The target URL of a `refresh` meta tag. */
  readonly refresh: string | undefined;
  /** The contents of the `robots` meta tags. */
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
  const head = readHead(document, productToken);
  const base = URL.parse(head.base ?? '', url)?.href ?? url;
  const links = readLinks(document, base);
  const signs = findScriptSigns(document);
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
    needsRendering: needsRendering(signs, getNormalizedText(document.body).length),
    isSoft404: isSoft404(head.title, main.root),
    isLoginPage: hasPasswordForm && isAsShortAsLoginPage(main.root),
  };
}

function resolveUrl(url: string | undefined, base: string): string | undefined {
  return url === undefined ? undefined : parsePageUrl(url, base);
}

/** Maximum number of links that are read from a page. */
const MAX_LINKS = 5_000;
const LINKS = 'a[href], area[href], link[rel~="next" i][href], link[rel~="prev" i][href], frame[src], iframe[src]';

/** Returns the absolute URLs of a page's links in order, without duplicates and `nofollow` links. */
function readLinks(document: Document, base: string): readonly string[] {
  const links = new Set<string>();
  for (const element of document.querySelectorAll(LINKS)) {
    if (links.size >= MAX_LINKS) break;
    if (isNofollow(element)) continue;
    const url = parsePageUrl(element.getAttribute('href') ?? element.getAttribute('src') ?? '', base);
    if (url !== undefined) links.add(url);
  }
  return [...links];
}

function isNofollow(element: Element): boolean {
  return /(?:^|\s)nofollow(?:\s|$)/i.test(element.getAttribute('rel') ?? '');
}
