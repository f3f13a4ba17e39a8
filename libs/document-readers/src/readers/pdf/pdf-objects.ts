import { constants, inflateSync } from 'node:zlib';

/** Maximum number of dictionaries to find in the file or in one object stream, to limit the time for hostile files. */
const MAX_DICTIONARIES = 2_000;
/**
 * Maximum number of bytes that are read on either side of a position in the file, to limit the time for hostile files.
 */
const MAX_LENGTH = 4_096;
/** Maximum number of decompressed bytes of all object streams of a PDF together. */
const MAX_INFLATED_BYTES = 64 * 1_048_576;
const BRACKETS = /<<|>>/g;

/**
 * Finds objects of a PDF by their headers, without using its cross-reference table. Source: ISO 32000-1, section 7.3.
 */
export class PdfObjects {
  readonly #bytes: Buffer;
  #streams: readonly ObjectStream[] | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /**
   * Finds the dictionaries that contain a name, such as `/Type0`. Returns them as Latin-1 text without the outer
   * brackets.
   */
  findDictionaries(name: string): readonly string[] {
    const found = [this.#bytes, ...this.#readObjectStreams().map(({ content }) => content)].flatMap((bytes) =>
      findNameOccurrences(bytes, name).map((position) => readDictionary(bytes, position)),
    );
    return found.filter((dictionary) => dictionary !== undefined);
  }

  /**
   * Returns the Latin-1 text of a dictionary, or the first bytes of an object of another type. Returns undefined if the
   * object does not exist.
   *
   * @param number number of the object, such as `12` for the reference `12 0 R`
   */
  readObject(number: string): string | undefined {
    const start = this.#findObject(number);
    if (start !== undefined) return readValueAt(this.#bytes, start);
    for (const { content, position } of this.#readObjectStreams().toReversed()) {
      const first = Number(/\/First\s+(\d+)/.exec(readDictionary(this.#bytes, position) ?? '')?.[1] ?? 0);
      const offset = findObjectOffset(content, first, number);
      if (offset !== undefined) return readValueAt(content, first + offset);
    }
    return undefined;
  }

  /**
   * Returns the start of the content of a stream, in Latin-1. Returns undefined if the object is not a stream, or if it
   * has a filter other than `FlateDecode`.
   */
  readStreamStart(number: string): string | undefined {
    const start = this.#findObject(number);
    const keyword = start === undefined ? -1 : this.#bytes.indexOf('stream', start);
    if (keyword < 0) return undefined;
    const dictionary = this.#bytes.toString('latin1', start, keyword);
    if (dictionary.includes('endobj')) return undefined;
    const at = findStreamDataStart(this.#bytes, keyword);
    const data = this.#bytes.subarray(at, at + MAX_LENGTH);
    return (dictionary.includes('/Filter') ? inflateStreamStart(data) : data)?.toString('latin1');
  }

  /**
   * Returns the position after the last header of an object. There can be several headers, because an update of a file
   * appends the changed objects.
   */
  #findObject(number: string): number | undefined {
    const header = `${number} 0 obj`;
    for (
      let at = this.#bytes.lastIndexOf(header);
      at >= 0;
      at = at === 0 ? -1 : this.#bytes.lastIndexOf(header, at - 1)
    ) {
      if (!isDigitCode(this.#bytes[at - 1])) return at + header.length;
    }
    return undefined;
  }

  #readObjectStreams(): readonly ObjectStream[] {
    this.#streams ??= readObjectStreams(this.#bytes);
    return this.#streams;
  }
}

interface ObjectStream {
  readonly content: Buffer;
  /** Position of the name `/ObjStm` in the file. It is inside the dictionary of the stream. */
  readonly position: number;
}

/** Reads the object streams of a PDF. Skips streams that cannot be decompressed, such as encrypted ones. */
function readObjectStreams(bytes: Buffer): readonly ObjectStream[] {
  const streams: ObjectStream[] = [];
  let remaining = MAX_INFLATED_BYTES;
  for (let at = bytes.indexOf('/ObjStm'); at >= 0 && remaining > 0; at = bytes.indexOf('/ObjStm', at + 1)) {
    const start = bytes.indexOf('stream', at);
    const content = start < 0 ? undefined : inflateStream(bytes.subarray(findStreamDataStart(bytes, start)), remaining);
    if (content === undefined) continue;
    remaining -= content.length;
    streams.push({ content, position: at });
  }
  return streams;
}

function findStreamDataStart(bytes: Buffer, keyword: number): number {
  const after = keyword + 'stream'.length;
  return bytes.toString('latin1', after, after + 2) === '\r\n' ? after + 2 : after + 1;
}

function inflateStream(bytes: Buffer, maxOutputLength: number): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength });
  } catch {
    return undefined;
  }
}

/** Decompresses Deflate data whose end is missing. Returns undefined if the data is in another format. */
function inflateStreamStart(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/**
 * Returns the offset of an object in an object stream. The header of the stream contains pairs of an object number and
 * an offset.
 */
function findObjectOffset(content: Buffer, headerLength: number, objectNumber: string): number | undefined {
  const header = content.toString('latin1', 0, headerLength).trim().split(/\s+/);
  const at = header.findIndex((value, index) => index % 2 === 0 && value === objectNumber);
  return at < 0 ? undefined : Number(header[at + 1]);
}

function findNameOccurrences(bytes: Buffer, name: string): readonly number[] {
  const positions = [];
  for (let at = bytes.indexOf(name); at >= 0 && positions.length < MAX_DICTIONARIES; at = bytes.indexOf(name, at + 1)) {
    positions.push(at);
  }
  return positions;
}

/**
 * Returns the innermost dictionary around a position. Returns undefined if there is none or the dictionary is too long.
 */
function readDictionary(bytes: Buffer, position: number): string | undefined {
  const before = bytes.toString('latin1', Math.max(0, position - MAX_LENGTH), position);
  const after = bytes.toString('latin1', position, position + MAX_LENGTH);
  const start = findUnmatchedBracket([...before.matchAll(BRACKETS)].toReversed(), '<<');
  const end = findUnmatchedBracket([...after.matchAll(BRACKETS)], '>>');
  return start === undefined || end === undefined ? undefined : before.slice(start + 2) + after.slice(0, end);
}

/** Returns the position of the first bracket of the given kind that has no matching bracket before it in the list. */
function findUnmatchedBracket(brackets: readonly RegExpExecArray[], bracket: '<<' | '>>'): number | undefined {
  let depth = 0;
  for (const { 0: found, index } of brackets) {
    depth += found === bracket ? -1 : 1;
    if (depth < 0) return index;
  }
  return undefined;
}

function isDigitCode(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39;
}

/** Reads a dictionary, or the first bytes of an object of another type. */
function readValueAt(bytes: Buffer, start: number): string {
  const text = bytes.toString('latin1', start, start + MAX_LENGTH).trimStart();
  if (!text.startsWith('<<')) return text;
  const end = findUnmatchedBracket([...text.slice(2).matchAll(BRACKETS)], '>>');
  return text.slice(0, end === undefined ? undefined : end + 4);
}
