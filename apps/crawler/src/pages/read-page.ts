import { parseContentType } from '@quarry/http-headers';
import { PageUnreadable } from './html-reader.js';
import type { HtmlPage } from './html/read-html.js';
import { hashPage, type Page, readValidators, type Visit } from './page.js';
import { createProblemVisit } from './page-problems.js';
import { RenderingFailed } from '../rendering/renderer.js';
import { parseRobotsDirectives } from './robots-directives.js';
import type { PageResponse, VisitParts } from './visit-parts.js';

/** Maximum text length of a page whose refresh counts as a redirect. */
const MAX_REFRESH_TEXT = 1_000;

/** Reads an HTML page: its main content as Markdown, its metadata and its links. Renders it if necessary. */
export async function readPage(parts: VisitParts, response: PageResponse, signal: AbortSignal): Promise<Visit> {
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
    // The validators cover the page and its scripts, but not the data that the scripts fetch.
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
        ? 'and rendering is not configured'
        : 'but they created none when the page was rendered';
    return createProblemVisit('needs_rendering', { found }, links);
  }
  if (html.isLoginPage) return createProblemVisit('login_page', {}, links);
  if (html.markdown === '') return createProblemVisit('no_text_found', {}, links);
  return { kind: 'page', page: buildPage(response, html, links), validators: readValidators(headers) };
}

function buildPage({ url, headers }: PageResponse, html: HtmlPage, links: readonly string[]): Page {
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
    // Recorded because the text can include menus and footers.
    extraction: html.extraction === 'whole_page' ? html.extraction : undefined,
  };
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}
