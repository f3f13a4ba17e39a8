import { findTypeOfMediaType, findTypeOfName, isTextType, MEDIA_TYPES, type MediaType } from '@quarry/file-types';
import type { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';

const SUPPORTED: readonly string[] = Object.values(MEDIA_TYPES);

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

export function isText(mediaType: MediaType): boolean {
  const type = findTypeOfMediaType(mediaType);
  return type !== undefined && isTextType(type);
}

export function notSupported(found: string): Problem {
  return problem('unsupported_media_type', `Supported are ${SUPPORTED.join(', ')}; found ${found}.`);
}

function knownType(mediaType: string): MediaType | undefined {
  const type = findTypeOfMediaType(mediaType);
  return type && MEDIA_TYPES[type];
}

function typeByName(name: string): MediaType | undefined {
  const type = findTypeOfName(name);
  return type && MEDIA_TYPES[type];
}
