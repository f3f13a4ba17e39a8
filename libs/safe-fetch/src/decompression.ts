import { pipeline, type Duplex } from 'node:stream';
import zlib from 'node:zlib';
import { FetchFailed } from './fetch-error.js';

/** A stage of a stream pipeline. */
export type Stage = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** What `Accept-Encoding` offers. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** A server compresses once; a few more times are honoured, a tower of them is an attack. */
const MOST_LAYERS = 3;

/** RFC 9659: a window of 8 MB is all that a zstd body may ask for; the decoder would grant 128 MB. */
const ZSTD_WINDOW = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

const DECODERS: ReadonlyMap<string, (first: Buffer) => Duplex> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => zlib.createZstdDecompress(ZSTD_WINDOW)],
  ['deflate', inflateOfEitherKind],
]);

/**
 * The stages that undo a `Content-Encoding`, in the order in which they are applied. They stream: what is not read
 * is not decompressed, so a limit on their output bounds the memory too.
 *
 * @throws FetchFailed `decompression_failed`, at once for an unknown encoding, from the stage for a broken body
 */
export function decompression(contentEncoding: string | undefined): readonly Stage[] {
  const names = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity' && name !== 'none');
  if (names.length > MOST_LAYERS) {
    throw new FetchFailed('decompression_failed', `expected at most ${MOST_LAYERS} encodings, found ${names.length}`);
  }
  return names.reverse().map(stageFor);
}

function stageFor(name: string): Stage {
  const createDecoder = DECODERS.get(name);
  if (createDecoder !== undefined) return (source) => decoded(source, name, createDecoder);
  throw new FetchFailed(
    'decompression_failed',
    `expected one of the encodings ${ACCEPTED_ENCODINGS}, found '${name.slice(0, 40)}'`,
  );
}

// The decoder is made when the first byte is there: many an empty body is declared gzip, and none is valid gzip.
async function* decoded(
  source: AsyncIterable<Buffer>,
  name: string,
  createDecoder: (first: Buffer) => Duplex,
): AsyncIterable<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  let lost: unknown;
  const all = async function* (): AsyncIterable<Buffer> {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    } catch (error) {
      lost = error;
      throw error;
    }
  };
  try {
    yield* pipeline(all(), createDecoder(first.value), () => undefined) as AsyncIterable<Buffer>;
  } catch (cause) {
    if (cause === lost) throw cause;
    throw new FetchFailed('decompression_failed', `expected a body in the encoding '${name}', found a broken one`, {
      cause,
    });
  }
}

/** `deflate` means the zlib format, yet some servers send it bare; the first byte tells (RFC 1950 section 2.2). */
function inflateOfEitherKind(first: Buffer): Duplex {
  const isZlib = ((first[0] ?? 0) & 0x0f) === 8;
  return isZlib ? zlib.createInflate() : zlib.createInflateRaw();
}
