import { findTypeOfMediaType, isTextType } from '@quarry/file-types';
import { parseContentType } from '@quarry/http-headers';
import { getFileName } from '../urls/url-file-name.js';
import { decodeWebText } from './decode-web-text.js';
import { hashPage, readValidators, type Visit } from './page.js';
import { createProblemVisit } from './page-problems.js';
import { parseRobotsDirectives } from './robots-directives.js';
import type { PageResponse, VisitParts } from './visit-parts.js';

/**
 * Reads a file that a URL returned. Its bytes are unchanged, except that text is converted to UTF-8, because ingestion does not
 * receive its charset.
 */
export function readFile(parts: VisitParts, response: PageResponse, mimeType: string): Visit {
  const { url, headers } = response;
  const directives = parseRobotsDirectives([headers.get('x-robots-tag') ?? ''], parts.productToken, parts.now());
  if (directives.noindex) return createProblemVisit('noindex', { found: 'X-Robots-Tag' });
  if (response.bytes.length === 0) return createProblemVisit('no_text_found', { found: 'an empty file' });
  const bytes = isText(mimeType) ? toUtf8(response) : response.bytes;
  const name = getFileName(url) || new URL(url).host;
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
      links: [],
    },
  };
}

function toUtf8({ bytes, headers }: PageResponse): Uint8Array {
  return new TextEncoder().encode(decodeWebText(bytes, parseContentType(headers.get('content-type')).charset).text);
}

function isText(mimeType: string): boolean {
  const type = findTypeOfMediaType(mimeType);
  return type !== undefined && isTextType(type);
}
