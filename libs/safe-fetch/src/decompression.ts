import { pipeline, type Duplex } from 'node:stream';
import zlib from 'node:zlib';
import { FetchFailed } from './fetch-error.js';

/** Describes a stage of a stream pipeline. */
export type Stage = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Lists the encodings for `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** Maximum number of encodings. Servers usually compress once; many layers indicate an attack. */
const MAX_ENCODINGS = 3;

/** Limits the window of zstd to 8 MB, as RFC 9659 requires. The decoder allows 128 MB by default. */
const ZSTD_WINDOW = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

const DECODERS: ReadonlyMap<string, (first: Buffer) => Duplex> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => zlib.createZstdDecompress(ZSTD_WINDOW)],
  ['deflate', createInflater],
]);

/**
 * Returns the stages that decode a `Content-Encoding`, in the order of their application. They are lazy: unread data is
 * not decompressed, so a limit on the output also bounds the memory.
 *
 * @throws FetchFailed `decompression_failed`, immediately for an unknown encoding, and from the stage for invalid data
 */
export function createDecoders(contentEncoding: string | undefined): readonly Stage[] {
  const names = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity' && name !== 'none');
  if (names.length > MAX_ENCODINGS) {
    throw new FetchFailed(
      'decompression_failed',
      `expected a body with at most ${MAX_ENCODINGS} content encodings, found ${names.length}`,
    );
  }
  return names.reverse().map(createDecoderStage);
}

function createDecoderStage(name: string): Stage {
  const createDecoder = DECODERS.get(name);
  if (createDecoder !== undefined) return (source) => decodeSource(source, name, createDecoder);
  throw new FetchFailed(
    'decompression_failed',
    `expected a body in one of the encodings ${ACCEPTED_ENCODINGS}, found '${name.slice(0, 40)}'`,
  );
}

// The decoder is created with the first byte, because many empty bodies are declared as gzip, and none is valid gzip.
async function* decodeSource(
  source: AsyncIterable<Buffer>,
  name: string,
  createDecoder: (first: Buffer) => Duplex,
): AsyncIterable<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  let lost: unknown;
  const readAll = async function* (): AsyncIterable<Buffer> {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    } catch (error) {
      lost = error;
      throw error;
    }
  };
  try {
    yield* pipeline(readAll(), createDecoder(first.value), () => undefined) as AsyncIterable<Buffer>;
  } catch (cause) {
    if (cause === lost) throw cause;
    throw new FetchFailed('decompression_failed', `expected a body in the encoding '${name}', found invalid data`, {
      cause,
    });
  }
}

/**
 * Creates a decoder for `deflate`. It means the zlib format, but some servers send raw deflate; the first byte
 * distinguishes them (RFC 1950 section 2.2).
 */
function createInflater(first: Buffer): Duplex {
  const isZlib = ((first[0] ?? 0) & 0x0f) === 8;
  return isZlib ? zlib.createInflate() : zlib.createInflateRaw();
}
