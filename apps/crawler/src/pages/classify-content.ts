import { findTypeOfMediaType, findTypeOfName, MEDIA_TYPES } from '@quarry/file-types';
import { parseContentType } from '@quarry/http-headers';
import { getFileName } from '../urls/url-file-name.js';

const PAGES = new Set(['text/html', 'application/xhtml+xml']);
/** Lists media types that servers send for content of unknown type. */
const UNSPECIFIC = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/download',
  'application/force-download',
]);
/** Media type that some servers send for Markdown and CSV. */
const UNSPECIFIC_TEXT = 'text/plain';

/** Describes how the content of a URL is read. */
export type Content =
  | { readonly kind: 'page' }
  | { readonly kind: 'file'; readonly mimeType: string }
  | { readonly kind: 'unsupported'; readonly mimeType: string };

/** Classifies content by the media type of the response, or by the file name in the URL if the type is unspecific. */
export function classifyContent(contentType: string | undefined, url: string): Content {
  const { mediaType } = parseContentType(contentType);
  if (PAGES.has(mediaType)) return { kind: 'page' };
  const typeOfName = findTypeOfName(getFileName(url));
  const byName = typeOfName && MEDIA_TYPES[typeOfName];
  if (UNSPECIFIC.has(mediaType)) return byName === undefined ? { kind: 'page' } : { kind: 'file', mimeType: byName };
  if (mediaType === UNSPECIFIC_TEXT && byName?.startsWith('text/') === true) return { kind: 'file', mimeType: byName };
  const type = findTypeOfMediaType(mediaType);
  return type === undefined
    ? { kind: 'unsupported', mimeType: mediaType }
    : { kind: 'file', mimeType: MEDIA_TYPES[type] };
}
