import { findTypeOfMediaType, findTypeOfName, MEDIA_TYPES } from '@quarry/file-types';
import { parseContentType } from '@quarry/http-headers';
import { fileNameOf } from '../addresses/address-ending.js';

const PAGES = new Set(['text/html', 'application/xhtml+xml']);
/** Media types that servers send for content they do not know. */
const UNSPECIFIC = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/download',
  'application/force-download',
]);
/** Servers send it for Markdown and CSV too. */
const UNSPECIFIC_TEXT = 'text/plain';

/** How the content of an address is read. */
export type Content =
  | { readonly kind: 'page' }
  | { readonly kind: 'file'; readonly mimeType: string }
  | { readonly kind: 'unsupported'; readonly mimeType: string };

/** Decides by the media type that the server sends, and by the file name in the address where that is unspecific. */
export function classifyContent(contentType: string | undefined, address: string): Content {
  const { mediaType } = parseContentType(contentType);
  if (PAGES.has(mediaType)) return { kind: 'page' };
  const typeOfName = findTypeOfName(fileNameOf(address));
  const byName = typeOfName && MEDIA_TYPES[typeOfName];
  if (UNSPECIFIC.has(mediaType)) return byName === undefined ? { kind: 'page' } : { kind: 'file', mimeType: byName };
  if (mediaType === UNSPECIFIC_TEXT && byName?.startsWith('text/') === true) return { kind: 'file', mimeType: byName };
  const type = findTypeOfMediaType(mediaType);
  return type === undefined
    ? { kind: 'unsupported', mimeType: mediaType }
    : { kind: 'file', mimeType: MEDIA_TYPES[type] };
}
