import { findTypeOfMediaType, isTextType } from '@quarry/file-types';
import { parseContentType } from '@quarry/http-headers';
import { fileNameOf } from '../addresses/address-ending.js';
import { hashPage } from './page-hash.js';
import { decodeWebText } from './decode-web-text.js';
import type { Visit } from './page.js';
import { problemVisit } from './page-problems.js';
import { robotsDirectives } from './robots-directives.js';
import { validatorsOf } from './validators.js';
import type { Answer, VisitParts } from './visit-parts.js';

/** A file goes to ingestion as it is; text is brought into UTF-8, because its charset stays behind with the response. */
export function readFile(parts: VisitParts, answer: Answer, mimeType: string): Visit {
  const { address, headers } = answer;
  const directives = robotsDirectives([headers.get('x-robots-tag') ?? ''], parts.productToken, parts.now());
  if (directives.noindex) return problemVisit('noindex', { found: 'X-Robots-Tag' });
  if (answer.bytes.length === 0) return problemVisit('no_text_found', { found: 'an empty file' });
  const bytes = isText(mimeType) ? inUtf8(answer) : answer.bytes;
  const name = fileNameOf(address) || new URL(address).host;
  return {
    kind: 'page',
    validators: validatorsOf(headers),
    page: {
      source: address,
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

function inUtf8({ bytes, headers }: Answer): Uint8Array {
  return new TextEncoder().encode(decodeWebText(bytes, parseContentType(headers.get('content-type')).charset).text);
}

function isText(mimeType: string): boolean {
  const type = findTypeOfMediaType(mimeType);
  return type !== undefined && isTextType(type);
}
