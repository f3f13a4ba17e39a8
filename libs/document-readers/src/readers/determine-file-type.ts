import { findTypeOfMediaType, findTypeOfName, isTextType, MEDIA_TYPES, type FileType } from '@quarry/file-types';
import { unzipSync } from 'fflate';
import { detectUnicodeForm } from './decoding/unicode-form.js';
import { normalizePartName } from './office/open-archive.js';
import { ReadingFailed } from './reader.js';

/**
 * Maps each office file type to the folder of the zip archive that contains the parts of the document. Source:
 * ECMA-376, part 1, sections 11 to 13.
 */
const OFFICE_FOLDERS = { docx: 'word/', pptx: 'ppt/', xlsx: 'xl/' } as const;

/** Lists signatures, in Latin-1, of binary files that are not supported. */
const OTHER_SIGNATURES: readonly (readonly [signature: string, kind: Description])[] = [
  ['\x89PNG\r\n\x1a\n', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF87a', 'a GIF picture'],
  ['GIF89a', 'a GIF picture'],
  ['\x1f\x8b\x08', 'a gzip archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!\x1a\x07', 'a RAR archive'],
  ['\x7fELF', 'a program'],
  ['{\\rtf1', 'an RTF document'],
];
/**
 * Lists texts in the first bytes of zip archives that identify unsupported kinds of archives: name and content of the
 * entry `mimetype`.
 */
const OTHER_ARCHIVES: readonly (readonly [signature: string, kind: Description])[] = [
  ['mimetypeapplication/vnd.oasis.opendocument', 'an OpenDocument file'],
  ['mimetypeapplication/epub+zip', 'an EPUB book'],
];
const BINARY_WORKBOOK = 'xl/workbook.bin';
const ZIP_SIGNATURES = ['PK\x03\x04', 'PK\x05\x06'];
const COMPOUND_FILE_SIGNATURE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

const HEAD_BYTES = 1_024;

export interface DeclaredFile {
  readonly mimeType: string;
  readonly name: string;
  /** True if `name` is a file name with an extension, and not a title. */
  readonly nameIsFileName: boolean;
}

/**
 * Checks that the declared media type, the extension and the content of a file agree, and returns the type of the file.
 *
 * @throws ReadingFailed with `file_empty`, `file_encrypted`, `file_type_unsupported` or `file_type_mismatch`
 */
export function determineFileType(declared: DeclaredFile, bytes: Uint8Array): FileType {
  if (bytes.length === 0) throw new ReadingFailed('file_empty', 'The file is empty: it has 0 bytes.');
  const type = parseDeclaredType(declared);
  const found = detectFileKind(bytes, isTextType(type));
  if (found === 'encrypted office file' && !isTextType(type)) {
    throw new ReadingFailed('file_encrypted', 'The file is protected by a password.');
  }
  const matches = isTextType(type) ? found === 'text' : found === type;
  if (!matches)
    throw createMismatchError(
      `Expected a file of the declared type ${declared.mimeType}; found ${describeFileKind(found)}.`,
    );
  return type;
}

function parseDeclaredType({ mimeType, name, nameIsFileName }: DeclaredFile): FileType {
  const type = findTypeOfMediaType(mimeType);
  if (type === undefined) {
    const supported = Object.values(MEDIA_TYPES).join(', ');
    throw new ReadingFailed('file_type_unsupported', `The media type must be one of ${supported}; found ${mimeType}.`);
  }
  const nameType = nameIsFileName ? findTypeOfName(name) : undefined;
  if (nameType === undefined || nameType === type) return type;
  if (!isTextType(type) || !isTextType(nameType)) {
    throw createMismatchError(
      `The media type ${mimeType} does not match the extension of the file name ${JSON.stringify(name)}.`,
    );
  }
  // Many clients declare the media type `text/plain` for every kind of text file.
  return type === 'txt' ? nameType : type;
}

type Description = `${'a' | 'an'} ${string}`;
type Kind = FileType | Description | 'text' | 'encrypted office file' | 'neither text nor a known format';

/** Detects the kind of a file. @param isTextDeclared true if the declared type is a type of text */
function detectFileKind(bytes: Uint8Array, isTextDeclared: boolean): Kind {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  // Other bytes can precede the header of a PDF, which is within the first 1,024 bytes. Source: ISO 32000-1, annex H,
  // implementation note 13. Bytes that are declared as text must start with the header to count as a PDF, because a
  // text can mention the header.
  if (isTextDeclared ? /^(?:\xEF\xBB\xBF)?\s*%PDF-/.test(head) : head.includes('%PDF-')) return 'pdf';
  if (ZIP_SIGNATURES.some((signature) => head.startsWith(signature))) {
    return OTHER_ARCHIVES.find(([signature]) => head.includes(signature))?.[1] ?? detectArchiveKind(bytes);
  }
  if (head.startsWith(COMPOUND_FILE_SIGNATURE)) return detectCompoundFileKind(bytes);
  const other = OTHER_SIGNATURES.find(([signature]) => head.startsWith(signature))?.[1];
  return other ?? (isProbablyText(bytes) ? 'text' : 'neither text nor a known format');
}

function detectArchiveKind(bytes: Uint8Array): Kind {
  const names: string[] = [];
  try {
    unzipSync(bytes, { filter: ({ name }) => names.push(normalizePartName(name)) < 0 });
  } catch (error) {
    throw new ReadingFailed(
      'file_unreadable',
      'The file is damaged: the directory of its zip archive cannot be read.',
      { cause: error },
    );
  }
  if (names.includes(BINARY_WORKBOOK)) return 'a binary Excel workbook (XLSB)';
  const found = Object.entries(OFFICE_FOLDERS).find(([, folder]) => names.some((name) => name.startsWith(folder)));
  // The keys of `OFFICE_FOLDERS` are file types.
  return found === undefined ? 'a zip archive' : (found[0] as FileType);
}

/**
 * Detects the kind of a compound file. A compound file with a stream `EncryptedPackage` is an encrypted office file.
 * Any other compound file is an office file in a format before 2007.
 */
function detectCompoundFileKind(bytes: Uint8Array): Kind {
  const encrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(
    'EncryptedPackage',
    0,
    'utf16le',
  );
  return encrypted ? 'encrypted office file' : 'an office file in a format before 2007';
}

/** Returns whether the bytes are text: they are UTF-16 or UTF-32, or contain almost no control characters. */
function isProbablyText(bytes: Uint8Array): boolean {
  if (detectUnicodeForm(bytes) !== undefined) return true;
  const head = bytes.subarray(0, HEAD_BYTES);
  return head.filter(isControlByte).length <= 1 + head.length * 0.02;
}

/**
 * Returns whether a byte is a control character that does not occur in text. White space, terminal escapes and the
 * end-of-file mark of DOS can occur.
 */
function isControlByte(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1a && byte !== 0x1b);
}

function describeFileKind(kind: Kind): string {
  return kind === 'text' || kind.includes(' ') ? kind : kind.toUpperCase();
}

function createMismatchError(message: string): ReadingFailed {
  return new ReadingFailed('file_type_mismatch', message);
}
