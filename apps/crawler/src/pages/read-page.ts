import { parseContentType } from '@quarry/http-headers';
import { hashPage } from './page-hash.js';
import { PageUnreadable } from './html-reader.js';
import type { HtmlPage } from './html/read-html.js';
import type { Page, Visit } from './page.js';
import { problemVisit } from './page-problems.js';
import { RenderingFailed } from '../rendering/renderer.js';
import { robotsDirectives } from './robots-directives.js';
import { validatorsOf } from './validators.js';
import type { Answer, VisitParts } from './visit-parts.js';

/** A page that sends its readers on has no more text than this to say so. */
const MAX_REFRESH_TEXT = 1_000;

/** Reads a page of HTML: its main content as Markdown, what it says of itself, and where it leads. */
export async function readPage(parts: VisitParts, answer: Answer, signal: AbortSignal): Promise<Visit> {
  const { address, bytes, headers } = answer;
  const { productToken, renderer } = parts;
  try {
    const { charset } = parseContentType(headers.get('content-type'));
    const html = await parts.html.read({ bytes, charset, address, productToken });
    if (!html.needsRendering || renderer === undefined) return visitOf(parts, answer, html);
    const contentType = headers.get('content-type') ?? 'text/html';
    const rendered = new TextEncoder().encode(await renderer.render({ address, bytes, contentType }, signal));
    const visit = visitOf(
      parts,
      answer,
      await parts.html.read({ bytes: rendered, charset: 'utf-8', address, productToken }),
    );
    // What its server says of it is said of the scripts, and not of what they fetch.
    return visit.kind === 'page' ? { ...visit, validators: {} } : visit;
  } catch (error) {
    if (error instanceof PageUnreadable) return problemVisit('page_unreadable', { found: error.message });
    if (error instanceof RenderingFailed) return problemVisit('needs_rendering', { found: error.message });
    throw error;
  }
}

function visitOf(parts: VisitParts, answer: Answer, html: HtmlPage): Visit {
  const { address, headers } = answer;
  const isSentOn = html.refresh !== undefined && html.refresh !== address && html.markdown.length <= MAX_REFRESH_TEXT;
  if (isSentOn) return { kind: 'redirect', to: html.refresh };
  const directives = robotsDirectives(
    [headers.get('x-robots-tag') ?? '', ...html.robots],
    parts.productToken,
    parts.now(),
  );
  const links = directives.nofollow ? [] : html.links;
  if (directives.noindex) return problemVisit('noindex', {}, links);
  if (html.saysMissing) return problemVisit('soft_404', { found: html.title ?? 'no title' }, links);
  if (html.needsRendering) {
    const found = parts.renderer === undefined ? 'which are not run here' : 'which put in none when they were run';
    return problemVisit('needs_rendering', { found }, links);
  }
  if (html.isLoginPage) return problemVisit('login_page', {}, links);
  if (html.markdown === '') return problemVisit('no_text_found', {}, links);
  return { kind: 'page', page: pageOf(answer, html, links), validators: validatorsOf(headers) };
}

function pageOf({ address, headers }: Answer, html: HtmlPage, links: readonly string[]): Page {
  const bytes = new TextEncoder().encode(html.markdown);
  const name = html.title ?? address;
  return {
    source: address,
    name,
    mimeType: 'text/markdown',
    bytes,
    metadata: metadataOf(headers, html),
    contentHash: hashPage('text/markdown', html.title ?? '', bytes),
    canonical: html.canonical,
    links,
  };
}

/** What the page says of itself. `Last-Modified` is not part of it: many servers change it with every answer. */
function metadataOf(headers: Answer['headers'], html: HtmlPage): Readonly<Record<string, string>> {
  const { published, modified } = html;
  const known = {
    title: html.title,
    description: html.description,
    language: html.language ?? headers.get('content-language')?.split(',')[0]?.trim(),
    author: html.author,
    date: (published ?? modified)?.slice(0, 10),
    published,
    modified,
    // Worth knowing: menus and footers may be among the text.
    extraction: html.extraction === 'whole_page' ? html.extraction : undefined,
  };
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}
