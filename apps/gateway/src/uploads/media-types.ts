import type { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';

/** Source: interface specification, "Supported MIME types for files". */
export const MEDIA_TYPES = {
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  pdf: 'application/pdf',
  json: 'application/json',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type MediaType = (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];

const SUPPORTED: readonly string[] = Object.values(MEDIA_TYPES);
const BY_EXTENSION = new Map<string, MediaType>([...Object.entries(MEDIA_TYPES), ['markdown', 'text/markdown']]);

/** Other names of the supported types, as clients write them. */
const ALIASES = new Map<string, MediaType>([
  ['text/x-markdown', 'text/markdown'],
  ['application/csv', 'text/csv'],
  ['text/x-csv', 'text/csv'],
  ['text/json', 'application/json'],
]);

/**
 * What clients declare when they do not know: the file's name says more. A part without a type is `text/plain` (RFC 7578,
 * section 4.4), which cannot be told from one that is declared so.
 */
const UNDECIDED = new Set(['application/octet-stream', 'binary/octet-stream', 'text/plain', '']);

/**
 * The type of an uploaded file.
 *
 * @param declared the part's content type, without parameters
 * @param names what the file is called, the most telling first
 * @throws Problem 415 naming the supported types and what was found
 */
export function mediaTypeOf(declared: string, names: readonly string[]): MediaType {
  const type = declared.toLowerCase();
  const byName = names.map(typeByName).find((found) => found !== undefined);
  if (UNDECIDED.has(type)) {
    if (byName !== undefined) return byName;
    if (type === 'text/plain') return type;
    throw notSupported(`the type ${declared || 'none'} and the name ${JSON.stringify(names[0] ?? '')}`);
  }
  const known = knownType(type);
  if (known === undefined) throw notSupported(`the type ${declared}`);
  if (byName !== undefined && byName !== known && !(isText(byName) && isText(known))) {
    throw notSupported(`the type ${declared} for a file called ${JSON.stringify(names[0] ?? '')}, which do not agree`);
  }
  return known;
}

/** What is wrong with a type that no name can save, before the file's bytes are read. */
export function refusalOf(declared: string): Problem | undefined {
  const type = declared.toLowerCase();
  return UNDECIDED.has(type) || knownType(type) !== undefined ? undefined : notSupported(`the type ${declared}`);
}

export function isText(type: MediaType): boolean {
  return type.startsWith('text/') || type === MEDIA_TYPES.json;
}

export function notSupported(found: string): Problem {
  return problem('unsupported_media_type', `Supported are ${SUPPORTED.join(', ')}; found ${found}.`);
}

function knownType(type: string): MediaType | undefined {
  return Object.values(MEDIA_TYPES).find((supported) => supported === type) ?? ALIASES.get(type);
}

function typeByName(name: string): MediaType | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1];
  return extension === undefined ? undefined : BY_EXTENSION.get(extension.toLowerCase());
}
