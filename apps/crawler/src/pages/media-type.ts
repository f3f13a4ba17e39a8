import { endingOf } from '../addresses/address-ending.js';

/** What a `Content-Type` says. */
export interface MediaType {
  /** Such as `text/html`, in lower case; empty when nothing is said. */
  readonly essence: string;
  readonly charset: string | undefined;
}

export function mediaTypeOf(contentType: string | undefined): MediaType {
  const [essence = '', ...parameters] = (contentType ?? '').split(';');
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(parameter)?.[1]).find(Boolean);
  return { essence: essence.trim().toLowerCase(), charset };
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** By file ending, the types that ingestion reads. */
const FILE_TYPES: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['pdf', 'application/pdf'],
  ['json', 'application/json'],
  ['pptx', `${OFFICE}.presentationml.presentation`],
  ['docx', `${OFFICE}.wordprocessingml.document`],
  ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
]);
const FILES = new Set(FILE_TYPES.values());
const PAGES = new Set(['text/html', 'application/xhtml+xml']);
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['application/x-pdf', 'application/pdf'],
  ['text/x-markdown', 'text/markdown'],
  ['application/csv', 'text/csv'],
  ['text/json', 'application/json'],
]);
/** Servers say these when they do not know. */
const UNSAID = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/download',
  'application/force-download',
]);
/** What servers say of the more special text that they do not know. */
const UNSPECIFIC_TEXT = 'text/plain';

/** How a page's bytes are taken. */
export type Content =
  | { readonly kind: 'page' }
  | { readonly kind: 'file'; readonly mimeType: string }
  | { readonly kind: 'unsupported'; readonly mimeType: string };

/** Decides by the type that the server gives, and by the address's ending where the server says nothing of use. */
export function contentOf(contentType: string | undefined, address: string): Content {
  const { essence } = mediaTypeOf(contentType);
  const type = ALIASES.get(essence) ?? essence;
  if (PAGES.has(type)) return { kind: 'page' };
  const byEnding = FILE_TYPES.get(endingOf(address));
  if (UNSAID.has(type)) return byEnding === undefined ? { kind: 'page' } : { kind: 'file', mimeType: byEnding };
  if (type === UNSPECIFIC_TEXT && byEnding?.startsWith('text/') === true) return { kind: 'file', mimeType: byEnding };
  return FILES.has(type) ? { kind: 'file', mimeType: type } : { kind: 'unsupported', mimeType: type };
}

export function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType === 'application/json';
}
