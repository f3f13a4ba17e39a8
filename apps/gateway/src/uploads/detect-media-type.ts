import { findTypeOfMediaType, findTypeOfName, isTextType, MEDIA_TYPES, type MediaType } from '@quarry/file-types';
import type { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';

const SUPPORTED: readonly string[] = Object.values(MEDIA_TYPES);

/**
 * Content types that clients declare for files of any kind. If a client declares one, the name and the content of the
 * file determine the media type. A form part without a type is `text/plain` (RFC 7578, section 4.4). Browsers declare
 * the type that the operating system has registered: if Excel is installed, it is `application/vnd.ms-excel` for
 * `.csv`.
 */
const GENERIC_TYPES = new Set([
  ...['', 'application/octet-stream', 'binary/octet-stream', 'application/x-unknown', 'text/plain'],
  ...['application/vnd.ms-excel', 'application/zip', 'application/x-zip', 'application/x-zip-compressed'],
]);

/** The properties of an uploaded file that determine its media type. */
interface ReceivedFile {
  /** The content type that the client declared for the file, without parameters. Empty: the client declared no type. */
  readonly declaredType: string;
  /** The names of the file, in descending priority. */
  readonly names: readonly string[];
  /** The first bytes of the file, at most `HEAD_BYTES`. */
  readonly head: Buffer;
}

/**
 * Determines the media type of an uploaded file. The extension of the file name takes precedence over the declared
 * type, and the declared type over the content. An unsupported declared type is ignored if the extension is supported,
 * because it depends on the programs that are installed on the client's machine. Between two text types, the declared
 * type takes precedence. Content without a known signature contradicts no extension, because the document reader checks
 * it later.
 *
 * @throws Problem 415 if the type is unsupported, if the extension contradicts the content, or if the extension
 *   contradicts the declared type and the content has no known signature. The message contains the supported types and
 *   the type found.
 */
export function detectMediaType({ declaredType, names, head }: ReceivedFile): MediaType {
  const content = detectContentKind(head);
  const name = JSON.stringify(names[0] ?? '');
  const byName = names.map(findTypeByFileName).find((found) => found !== undefined);
  const isGeneric = GENERIC_TYPES.has(declaredType.toLowerCase());
  const byClient = isGeneric ? undefined : findMediaType(declaredType.toLowerCase());
  if (byName !== undefined) {
    if (!canContentHaveType(content, byName))
      throw createUnsupportedTypeProblem(`the file name ${name}, but ${content?.description}`);
    if (byClient === undefined || byClient === byName) return byName;
    if (isTextMediaType(byName) && isTextMediaType(byClient)) return byClient;
    if (content !== undefined) return byName;
    throw createUnsupportedTypeProblem(`the type ${declaredType}, which contradicts the file name ${name}`);
  }
  if (byClient === undefined && !isGeneric)
    throw createUnsupportedTypeProblem(`the type ${declaredType} and the name ${name}`);
  if (byClient !== undefined && canContentHaveType(content, byClient)) return byClient;
  const byContent = content === undefined ? detectUnsignedType({ declaredType, names, head }) : content.type;
  if (byContent !== undefined) return byContent;
  const found = content === undefined ? `the name ${name}` : content.description;
  throw createUnsupportedTypeProblem(`the type ${declaredType || 'none'} and ${found}`);
}

export function isTextMediaType(mediaType: MediaType): boolean {
  const type = findTypeOfMediaType(mediaType);
  return type !== undefined && isTextType(type);
}

export function createUnsupportedTypeProblem(foundType: string): Problem {
  return problem('unsupported_media_type', `The supported types are ${SUPPORTED.join(', ')}; found ${foundType}.`);
}

/** Returns the supported media type with this name or alias. */
function findMediaType(mediaType: string): MediaType | undefined {
  const type = findTypeOfMediaType(mediaType);
  return type && MEDIA_TYPES[type];
}

function findTypeByFileName(name: string): MediaType | undefined {
  const type = findTypeOfName(name);
  return type && MEDIA_TYPES[type];
}

/**
 * Number of bytes at the beginning of a file that are examined to find its type. An office file contains the names of
 * its first parts there.
 */
export const HEAD_BYTES = 8_192;

/** Describes the content of a file, as detected from the signature at its beginning. */
interface Content {
  readonly description: string;
  /** The media types that a file with this signature can have. */
  readonly types: readonly MediaType[];
  /** The media type of the file if its first bytes alone determine it, otherwise undefined. */
  readonly type: MediaType | undefined;
}

const OFFICE_TYPES: readonly MediaType[] = [MEDIA_TYPES.docx, MEDIA_TYPES.pptx, MEDIA_TYPES.xlsx];

/** Signatures with which files of unsupported types begin, in hexadecimal. No text file begins with one of them. */
const UNSUPPORTED: readonly (readonly [kind: string, begins: string])[] = [
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

const PDF_SIGNATURE = '255044462d';
const ZIP_SIGNATURES = ['504b0304', '504b0506'];
const OLE_SIGNATURE = 'd0cf11e0a1b11ae1';

/**
 * Detects the content of a file from the signature at its beginning. Returns undefined if the signature is not known.
 * An encrypted office file is an OLE document.
 */
function detectContentKind(head: Buffer): Content | undefined {
  const begins = head.toString('hex', 0, 16);
  if (begins.startsWith(PDF_SIGNATURE)) {
    return { description: 'the content of a PDF document', types: [MEDIA_TYPES.pdf], type: MEDIA_TYPES.pdf };
  }
  if (ZIP_SIGNATURES.some((signature) => begins.startsWith(signature))) {
    return { description: 'the content of a zip archive', types: OFFICE_TYPES, type: detectOfficeType(head) };
  }
  if (begins.startsWith(OLE_SIGNATURE)) {
    return { description: 'the content of an OLE document', types: OFFICE_TYPES, type: undefined };
  }
  const other = UNSUPPORTED.find(([, signature]) => begins.startsWith(signature))?.[0];
  return other === undefined ? undefined : { description: `the content of ${other}`, types: [], type: undefined };
}

function canContentHaveType(content: Content | undefined, type: MediaType): boolean {
  return content === undefined || content.types.includes(type);
}

/** The signature of the header of a part of a zip archive. Source: APPNOTE.TXT of PKWARE, section 4.3.7. */
const PART_SIGNATURE = 'PK\u0003\u0004';
/** Number of bytes between the end of the signature of a part header and the name of the part. */
const BYTES_BEFORE_NAME = 26;
/**
 * For each type of office file, the folder of its zip archive that contains its parts. Source: ECMA-376, part 1,
 * sections 11 to 13.
 */
const OFFICE_FOLDERS = [
  ['word/', MEDIA_TYPES.docx],
  ['ppt/', MEDIA_TYPES.pptx],
  ['xl/', MEDIA_TYPES.xlsx],
] as const;

/**
 * Determines the media type of an office file from the names of its first parts. Returns undefined if none is in a
 * folder of `OFFICE_FOLDERS`.
 */
function detectOfficeType(head: Buffer): MediaType | undefined {
  const parts = head.toString('latin1').split(PART_SIGNATURE);
  const names = parts.map((part) => part.slice(BYTES_BEFORE_NAME));
  return OFFICE_FOLDERS.find(([folder]) => names.some((name) => name.startsWith(folder)))?.[1];
}

/**
 * Determines the media type of a file that has no known signature, no supported extension and no specific declared
 * type. Returns plain text if the client declared it, or if the content looks like text and no name has an extension.
 * Otherwise returns undefined.
 */
function detectUnsignedType({ declaredType, names, head }: ReceivedFile): MediaType | undefined {
  if (declaredType.toLowerCase() === 'text/plain') return MEDIA_TYPES.txt;
  return isProbablyText(head) && !names.some((name) => /\.[^.]+$/.test(name)) ? MEDIA_TYPES.txt : undefined;
}

/** Matches byte order marks of UTF-16, in hexadecimal. */
const UTF16_MARK = /^(fffe|feff)/;
/** Maximum share of control characters among the examined bytes of a text file. */
const MAX_CONTROLS = 0.02;

function isProbablyText(head: Buffer): boolean {
  if (UTF16_MARK.test(head.toString('hex', 0, 2))) return true;
  return head.filter(isControlByte).length <= head.length * MAX_CONTROLS;
}

/**
 * Returns true for a control character, except white space, the escape character of terminals and the end-of-file
 * character of DOS.
 */
function isControlByte(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1a && byte !== 0x1b);
}
