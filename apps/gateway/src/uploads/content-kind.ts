import { MEDIA_TYPES, type MediaType } from '@quarry/file-types';
import { isText, notSupported } from './media-types.js';

/** How much of a file's beginning is looked at, in bytes. */
export const HEAD_BYTES = 16;

/** Beginnings that no text has by chance, in hexadecimal. */
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
 * Refuses a file whose content shows that it is not what it says. A beginning that is not known passes: the reader will tell.
 *
 * @param head the file's first bytes, `HEAD_BYTES` at most
 * @throws Problem 415
 */
export function refuseOtherContent(type: MediaType, head: Buffer): void {
  const kind = kindOf(head);
  if (kind !== undefined && !kindsOf(type).includes(kind)) {
    throw notSupported(`the type ${type}, but the content of ${kind}`);
  }
}

function kindOf(head: Buffer): string | undefined {
  const beginning = head.toString('hex');
  return SIGNATURES.find(([, begins]) => beginning.startsWith(begins))?.[0];
}

/** Office files are zip archives, and OLE documents when they are encrypted. */
function kindsOf(type: MediaType): readonly string[] {
  if (isText(type)) return [];
  return type === MEDIA_TYPES.pdf ? ['a PDF document'] : ['a zip archive', 'an OLE document'];
}
