import { MEDIA_TYPES, type MediaType } from '@quarry/file-types';
import { isText, createUnsupportedTypeProblem } from './media-types.js';

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
