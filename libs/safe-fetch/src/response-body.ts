import { PassThrough, pipeline, type Readable, type TransformCallback, type Duplex } from 'node:stream';
import zlib from 'node:zlib';
import { FetchFailed, type FetchError, FetchRefused } from './fetch-error.js';
import type { RequestLimits } from './fetch-limits.js';

const createTooLargeError = (maxBytes: number, what: string): FetchRefused =>
  new FetchRefused('too_large', `expected ${what} of at most ${maxBytes} bytes, found more`);

/** Describes a body as transferred, and the headers that describe the body. */
export interface RawBody {
  readonly stream: Readable;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
  /**
   * False for responses that never have a body (after HEAD, and with status 204 or 304), regardless of their headers.
   */
  readonly isExpected: boolean;
}

/**
 * Creates the body that the caller reads: decompressed and limited in size. An error while reading the body is always a
 * FetchError. Destroying the body closes the connection.
 *
 * @throws FetchRefused `too_large` if `Content-Length` exceeds the limit; FetchFailed `decompression_failed` if the
 * encoding is not supported
 */
export function createResponseBody(
  raw: RawBody,
  limits: RequestLimits,
  explain: (error: unknown) => FetchError,
): Readable {
  if (raw.isExpected && Number(raw.contentLength) > limits.wireBytes)
    throw createTooLargeError(limits.wireBytes, 'a body');
  const stages: readonly Stage[] = [
    createBodyRateStage(limits),
    createByteLimitStage(limits.wireBytes, 'a body'),
    ...(raw.isExpected ? createDecoderStages(raw.contentEncoding) : []),
    createByteLimitStage(limits.bodyBytes, 'a decompressed body'),
  ];
  const body = new DelayedEnd();
  // An error of a body without a reader must not end the process.
  body.on('error', () => undefined);
  // Closes the connection, because the stages cannot be interrupted while they wait for data.
  body.once('close', () => raw.stream.destroy());
  pipeline(convertStreamErrors(pipeThroughStages(stages, raw.stream), explain), body, () => undefined);
  return body;
}

const pipeThroughStages = (stages: readonly Stage[], source: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  stages.reduce((chunks, stage) => stage(chunks), source);

async function* convertStreamErrors(
  source: AsyncIterable<Buffer>,
  explain: (error: unknown) => FetchError,
): AsyncIterable<Buffer> {
  try {
    yield* source;
  } catch (error) {
    throw explain(error);
  }
}

/**
 * Passes data through. Ends one turn of the event loop after its source has ended: by then, the HTTP driver has
 * released the connection, so that the next request can reuse it.
 */
class DelayedEnd extends PassThrough {
  override _flush(done: TransformCallback): void {
    setImmediate(done);
  }
}

/**
 * Creates a stage that fails if its source has more than `maxBytes` bytes.
 *
 * @param what names the source in the error message
 */
function createByteLimitStage(maxBytes: number, what: string): Stage {
  return async function* (source) {
    let passed = 0;
    for await (const chunk of source) {
      passed += chunk.length;
      if (passed > maxBytes) throw createTooLargeError(maxBytes, what);
      yield chunk;
    }
  };
}

/**
 * Creates a stage that fails if data arrives more slowly than `minBytesPerSecond` in two consecutive windows of
 * `rateWindowMs`. Accepts a single slow window, because some servers send the start of a body long before the rest.
 * Counts only the time of waiting for the source, so that a slow reader causes no failure.
 */
function createBodyRateStage({ minBytesPerSecond, rateWindowMs }: RequestLimits): Stage {
  return async function* (source) {
    const rate = new BodyRate(minBytesPerSecond, rateWindowMs);
    let waitingSince: number | undefined;
    for await (const chunk of source) {
      if (waitingSince !== undefined) rate.addBytes(chunk.length, performance.now() - waitingSince);
      if (rate.slowWindows > 1) {
        const found = `expected a body of at least ${minBytesPerSecond} bytes per second, found a slower one`;
        throw new FetchFailed('timeout', found);
      }
      yield chunk;
      waitingSince = performance.now();
    }
  };
}

/** Measures the rate of a body in consecutive windows. Only the time in which the reader waits for data counts. */
class BodyRate {
  readonly #minBytesPerSecond: number;
  readonly #windowMs: number;
  #bytes = 0;
  #waitedMs = 0;
  #slowWindows = 0;

  constructor(minBytesPerSecond: number, windowMs: number) {
    this.#minBytesPerSecond = minBytesPerSecond;
    this.#windowMs = windowMs;
  }

  /** Returns the number of slow windows since the last window that was fast enough. */
  get slowWindows(): number {
    return this.#slowWindows;
  }

  /** Records received bytes. @param waitedMs time for which the reader has waited for these bytes, in milliseconds */
  addBytes(bytes: number, waitedMs: number): void {
    this.#bytes += bytes;
    this.#waitedMs += waitedMs;
    if (this.#waitedMs < this.#windowMs) return;
    const isSlow = this.#bytes * 1_000 < this.#minBytesPerSecond * this.#waitedMs;
    this.#slowWindows = isSlow ? this.#slowWindows + 1 : 0;
    this.#bytes = 0;
    this.#waitedMs = 0;
  }
}

/** Function that converts the data of a stream, as one stage of a pipeline. */
export type Stage = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Value of the request header `Accept-Encoding`: the supported encodings. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** Maximum number of encodings of one body. Servers usually compress once, and many encodings indicate an attack. */
const MAX_ENCODINGS = 3;

/** Options that limit the window of zstd to 8 MB, as RFC 9659 requires. The decoder allows 128 MB by default. */
const ZSTD_WINDOW = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

const DECODERS: ReadonlyMap<string, (first: Buffer) => Duplex> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => zlib.createZstdDecompress(ZSTD_WINDOW)],
  ['deflate', createInflater],
]);

/**
 * Returns the stages that decode a body with the given `Content-Encoding`, in the order in which to apply them. The
 * stages decompress only data that is read, so that a limit on the output also limits the use of memory. A stage fails
 * with `decompression_failed` for invalid data.
 *
 * @throws FetchFailed `decompression_failed` for an unknown encoding or too many encodings
 */
export function createDecoderStages(contentEncoding: string | undefined): readonly Stage[] {
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
  if (createDecoder !== undefined) return (source) => decodeChunks(source, name, createDecoder);
  throw new FetchFailed(
    'decompression_failed',
    `expected a body in one of the encodings ${ACCEPTED_ENCODINGS}, found '${name.slice(0, 40)}'`,
  );
}

// Creates the decoder when the first data arrives: many servers declare an empty body as gzip, but an empty body is not
// valid gzip.
async function* decodeChunks(
  source: AsyncIterable<Buffer>,
  name: string,
  createDecoder: (first: Buffer) => Duplex,
): AsyncIterable<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  let lost: unknown;
  const readAllChunks = async function* (): AsyncIterable<Buffer> {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    } catch (error) {
      lost = error;
      throw error;
    }
  };
  try {
    yield* pipeline(readAllChunks(), createDecoder(first.value), () => undefined) as AsyncIterable<Buffer>;
  } catch (cause) {
    if (cause === lost) throw cause;
    throw new FetchFailed('decompression_failed', `expected a body in the encoding '${name}', found invalid data`, {
      cause,
    });
  }
}

/**
 * Creates a decoder for the encoding `deflate`. The HTTP standard defines this encoding as the zlib format, but some
 * servers send raw deflate data. The first byte distinguishes the two formats (RFC 1950 section 2.2).
 */
function createInflater(first: Buffer): Duplex {
  const isZlib = ((first[0] ?? 0) & 0x0f) === 8;
  return isZlib ? zlib.createInflate() : zlib.createInflateRaw();
}
