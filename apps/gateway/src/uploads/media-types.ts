import { findTypeOfMediaType, findTypeOfName, isTextType, MEDIA_TYPES, type MediaType } from '@quarry/file-types';
import type { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';

const SUPPORTED: readonly string[] = Object.values(MEDIA_TYPES);

/**
 * Generic types that clients declare for unknown files, so that the file name decides. A part without a type is `text/plain`
 * (RFC 7578, section 4.4), so a declared `text/plain` is generic, too.
 */
const GENERIC_TYPES = new Set(['application/octet-stream', 'binary/octet-stream', 'text/plain', '']);

/**
 * Determines the media type of an uploaded file.
 *
 * @param declared the content type of the part, without parameters
 * @param names the names of the file, in descending priority
 * @throws Problem 415 with the supported types and the type found
 */
export function detectMediaType(declared: string, names: readonly string[]): MediaType {
  const type = declared.toLowerCase();
  const byName = names.map(getTypeByName).find((found) => found !== undefined);
  if (GENERIC_TYPES.has(type)) {
    if (byName !== undefined) return byName;
    if (type === 'text/plain') return type;
    throw createUnsupportedTypeProblem(`the type ${declared || 'none'} and the name ${JSON.stringify(names[0] ?? '')}`);
  }
  const known = getKnownType(type);
  if (known === undefined) throw createUnsupportedTypeProblem(`the type ${declared}`);
  if (byName !== undefined && byName !== known && !(isText(byName) && isText(known))) {
    throw createUnsupportedTypeProblem(
      `the type ${declared}, which contradicts the file name ${JSON.stringify(names[0] ?? '')}`,
    );
  }
  return known;
}

/** Returns a problem if a declared media type is not supported with any file name, so that the file need not be read. */
export function checkDeclaredType(declared: string): Problem | undefined {
  const type = declared.toLowerCase();
  return GENERIC_TYPES.has(type) || getKnownType(type) !== undefined
    ? undefined
    : createUnsupportedTypeProblem(`the type ${declared}`);
}

export function isText(mediaType: MediaType): boolean {
  const type = findTypeOfMediaType(mediaType);
  return type !== undefined && isTextType(type);
}

export function createUnsupportedTypeProblem(found: string): Problem {
  return problem('unsupported_media_type', `The supported types are ${SUPPORTED.join(', ')}; found ${found}.`);
}

function getKnownType(mediaType: string): MediaType | undefined {
  const type = findTypeOfMediaType(mediaType);
  return type && MEDIA_TYPES[type];
}

function getTypeByName(name: string): MediaType | undefined {
  const type = findTypeOfName(name);
  return type && MEDIA_TYPES[type];
}

/** Number of bytes at the beginning of a file that are examined. */
export const HEAD_BYTES = 16;

/** Signatures at the beginning of a file, in hexadecimal. Text files do not begin with them. */
const SIGNATURES: readonly (readonly [kind: string, begins: string])[] = [
  ['a PDF document', '255044462d'],
  ['a zip archive', '504b0304'],
  ['a zip archive', '504b0506'],
  ['an OLE document', 'd0cf11e0a1b11ae1'],
  ['a PNG image', '89504e470d0a1a0a'],
  ['a JPEG image', 'ffd8ff'],
  ['a GIF image', '474946383761'],
  ['a GIF image', '474946383961'],
  ['a gzip archive', '1f8b08'],
  ['a 7z archive', '377abcaf271c'],
  ['a RAR archive', '526172211a07'],
  ['a program', '7f454c46'],
  ['an RTF document', '7b5c72746631'],
];

/**
 * Refuses a file whose signature contradicts its type. A file without a known signature passes, and its reader checks it later.
 *
 * @param head the first bytes of the file, at most `HEAD_BYTES`
 * @throws Problem 415
 */
export function requireMatchingContent(type: MediaType, head: Buffer): void {
  const kind = detectKind(head);
  if (kind !== undefined && !getAllowedKinds(type).includes(kind)) {
    throw createUnsupportedTypeProblem(`the type ${type}, but the content of ${kind}`);
  }
}

function detectKind(head: Buffer): string | undefined {
  const beginning = head.toString('hex');
  return SIGNATURES.find(([, begins]) => beginning.startsWith(begins))?.[0];
}

/** Returns the kinds of content of a type. Office files are zip archives, and encrypted ones are OLE documents. */
function getAllowedKinds(type: MediaType): readonly string[] {
  if (isText(type)) return [];
  return type === MEDIA_TYPES.pdf ? ['a PDF document'] : ['a zip archive', 'an OLE document'];
}
