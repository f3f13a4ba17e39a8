import { parseContentType } from '@quarry/http-responses';
import { findTypeOfMediaType, isTextType } from '@quarry/file-types';
import { RenderingFailed } from '../rendering/renderer.js';
import { getFileNameOfUrl } from '../urls/page-url.js';
import { PageUnreadable } from './html/html-reader.js';
import type { HtmlPage } from './html/read-html.js';
import {
  hashPage,
  type Page,
  readValidators,
  type Visit,
  createProblemVisit,
  type ProblemVisit,
  type PageResponse,
  type VisitParts,
} from './page.js';
import { decodeWebText } from './decode-web-text.js';

/**
 * Version of the code that extracts the text, metadata and links of pages and files. Increment it when the result of
 * this code changes. The next run then fetches every page again, although the site has not changed it.
 */
export const EXTRACTION_VERSION = 1;

/** Maximum Markdown length, in characters, of a page whose `refresh` meta tag counts as a redirect. */
const MAX_REFRESH_TEXT = 1_000;

/** Reads the main content, metadata and links of an HTML page. Renders the page if scripts create its text. */
export async function readPageVisit(parts: VisitParts, response: PageResponse, signal: AbortSignal): Promise<Visit> {
  const { url, bytes, headers } = response;
  const { productToken, renderer } = parts;
  try {
    const { charset } = parseContentType(headers.get('content-type'));
    const html = await parts.html.read({ bytes, charset, url, productToken });
    if (!html.needsRendering || renderer === undefined) return buildPageVisit(parts, response, html);
    const contentType = headers.get('content-type') ?? 'text/html';
    const rendered = new TextEncoder().encode(await renderer.render({ url, bytes, contentType }, signal));
    const visit = buildPageVisit(
      parts,
      response,
      await parts.html.read({ bytes: rendered, charset: 'utf-8', url, productToken }),
    );
    // The validators of a rendered page do not cover the data that its scripts fetch.
    return visit.kind === 'page' ? { ...visit, validators: {} } : visit;
  } catch (error) {
    if (error instanceof PageUnreadable) return createProblemVisit('page_unreadable', { found: error.message });
    if (error instanceof RenderingFailed) return createProblemVisit('needs_rendering', { found: error.message });
    throw error;
  }
}

function buildPageVisit(parts: VisitParts, response: PageResponse, html: HtmlPage): Visit {
  const { url, headers } = response;
  const hasRefresh = html.refresh !== undefined && html.refresh !== url && html.markdown.length <= MAX_REFRESH_TEXT;
  if (hasRefresh) return { kind: 'redirect', to: html.refresh };
  const directives = parseRobotsDirectives(
    [headers.get('x-robots-tag') ?? '', ...html.robots],
    parts.productToken,
    parts.now(),
  );
  const links = directives.nofollow ? [] : html.links;
  if (directives.noindex) return createProblemVisit('noindex', {}, links);
  if (html.isSoft404) return createProblemVisit('soft_404', { found: html.title ?? 'no title' }, links);
  if (html.needsRendering) {
    const found =
      parts.renderer === undefined
        ? 'rendering is not configured'
        : 'the page still contains no text after it was rendered';
    return createProblemVisit('needs_rendering', { found }, links);
  }
  if (html.isLoginPage) return createProblemVisit('login_page', {}, links);
  if (html.markdown === '') return createProblemVisit('no_text_found', {}, links);
  return {
    kind: 'page',
    page: buildPage(response, html, { ...directives, links }),
    validators: readValidators(headers),
  };
}

function buildPage(
  { url, headers }: PageResponse,
  html: HtmlPage,
  { unavailableAfter, links }: Pick<Page, 'unavailableAfter' | 'links'>,
): Page {
  const bytes = new TextEncoder().encode(html.markdown);
  const name = html.title ?? url;
  return {
    source: url,
    name,
    mimeType: 'text/markdown',
    bytes,
    metadata: buildMetadata(headers, html),
    contentHash: hashPage('text/markdown', html.title ?? '', bytes),
    canonical: html.canonical,
    unavailableAfter,
    links,
  };
}

/** Builds the metadata of a page. Excludes `Last-Modified`, which many servers change with every response. */
function buildMetadata(headers: PageResponse['headers'], html: HtmlPage): Readonly<Record<string, string>> {
  const { published, modified } = html;
  const known = {
    title: html.title,
    description: html.description,
    language: html.language ?? headers.get('content-language')?.split(',')[0]?.trim(),
    author: html.author,
    date: (published ?? modified)?.slice(0, 10),
    published,
    modified,
    // Recorded only for a whole page, because its text can include menus and footers.
    extraction: html.extraction === 'whole_page' ? html.extraction : undefined,
  };
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/** Returns the problem `noindex` if the `X-Robots-Tag` header forbids indexing, otherwise undefined. */
export function createNoindexVisit(
  parts: Pick<VisitParts, 'productToken' | 'now'>,
  headers: PageResponse['headers'],
): ProblemVisit | undefined {
  const { noindex } = parseRobotsHeader(parts, headers);
  return noindex ? createProblemVisit('noindex', { found: 'X-Robots-Tag' }) : undefined;
}

function parseRobotsHeader(
  { productToken, now }: Pick<VisitParts, 'productToken' | 'now'>,
  headers: PageResponse['headers'],
): RobotsDirectives {
  return parseRobotsDirectives([headers.get('x-robots-tag') ?? ''], productToken, now());
}

/**
 * Reads a response as a file, such as a PDF. Keeps its bytes, but converts text to UTF-8, because ingestion does not
 * receive the charset.
 */
export function readFileVisit(parts: VisitParts, response: PageResponse, mimeType: string): Visit {
  const { url, headers } = response;
  const noindex = createNoindexVisit(parts, headers);
  if (noindex !== undefined) return noindex;
  if (response.bytes.length === 0) return createProblemVisit('no_text_found', { found: 'an empty file' });
  const bytes = isTextMimeType(mimeType) ? decodeAndEncodeAsUtf8(response) : response.bytes;
  const name = getFileNameOfUrl(url) || new URL(url).host;
  return {
    kind: 'page',
    validators: readValidators(headers),
    page: {
      source: url,
      name,
      mimeType,
      bytes,
      metadata: {},
      contentHash: hashPage(mimeType, '', bytes),
      canonical: undefined,
      unavailableAfter: parseRobotsHeader(parts, headers).unavailableAfter,
      links: [],
    },
  };
}

function decodeAndEncodeAsUtf8({ bytes, headers }: PageResponse): Uint8Array {
  return new TextEncoder().encode(decodeWebText(bytes, parseContentType(headers.get('content-type')).charset).text);
}

function isTextMimeType(mimeType: string): boolean {
  const type = findTypeOfMediaType(mimeType);
  return type !== undefined && isTextType(type);
}

/** Holds the robots directives of a page that apply to this crawler. */
export interface RobotsDirectives {
  /** Forbids indexing the page. */
  readonly noindex: boolean;
  /** Forbids following the links of the page. */
  readonly nofollow: boolean;
  /** The earliest date of `unavailable_after`, ISO 8601. Undefined: no directive contains a valid date. */
  readonly unavailableAfter: string | undefined;
}

/** Separates directives. The comma after the weekday of a date in `unavailable_after` is no separator. */
const SEPARATOR = /(?<!\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}),/;
const NAMED_DIRECTIVE = /^\s*([a-z_-]+)\s*:(.*)$/s;
/** The last time with a year of four digits, in milliseconds since 1970. Page records accept no later times. */
const MAX_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DIRECTIVES_WITH_VALUE = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * Parses values of `X-Robots-Tag` headers or `robots` meta tags. Indexing and following links are each forbidden if any
 * value forbids them.
 *
 * @param productToken the name of the crawler; directives for other names (`otherbot: noindex`) are ignored
 * @param now milliseconds since 1970, to check whether the date of `unavailable_after` has passed
 */
export function parseRobotsDirectives(values: readonly string[], productToken: string, now: number): RobotsDirectives {
  const applicable = values.flatMap((value) => listDirectivesFor(value, productToken.toLowerCase()));
  const none = applicable.includes('none');
  const unavailableAfter = Math.min(...applicable.flatMap(listUnavailableDates));
  return {
    noindex: none || applicable.includes('noindex') || unavailableAfter < now,
    nofollow: none || applicable.includes('nofollow'),
    unavailableAfter: unavailableAfter > MAX_DATE ? undefined : new Date(unavailableAfter).toISOString(),
  };
}

function listDirectivesFor(value: string, productToken: string): readonly string[] {
  let appliesToUs = true;
  return value
    .toLowerCase()
    .split(SEPARATOR)
    .flatMap((part) => {
      const [, name = '', directive = ''] = NAMED_DIRECTIVE.exec(part) ?? [];
      const namesCrawler = name !== '' && !DIRECTIVES_WITH_VALUE.has(name);
      // The name of a crawler also applies to the following directives.
      if (namesCrawler) appliesToUs = name === productToken;
      return appliesToUs ? [(namesCrawler ? directive : part).trim()] : [];
    });
}

/**
 * Returns a list with the date of an `unavailable_after` directive, in milliseconds since 1970; [] if there is no valid
 * date.
 */
function listUnavailableDates(directive: string): readonly number[] {
  const [, date = ''] = /^unavailable_after\s*:(.*)$/s.exec(directive) ?? [];
  const time = Date.parse(date.trim());
  return Number.isNaN(time) ? [] : [time];
}
