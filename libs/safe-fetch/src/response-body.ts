import { PassThrough, pipeline, type Readable, type TransformCallback } from 'node:stream';
import { byteLimit, tooLarge } from './byte-limit.js';
import { decompression, type Stage } from './decompression.js';
import type { FetchError } from './fetch-error.js';
import type { RequestLimits } from './limits.js';

/** An answer's body as it comes from the connection, with what its headers say of it. */
export interface RawBody {
  readonly stream: Readable;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
  /** False for the answers that have none by definition (HEAD, 204, 304), whatever their headers say. */
  readonly isExpected: boolean;
}

/**
 * The body as the caller reads it: decompressed, cut off at the limits, and failing with nothing but FetchErrors.
 * Destroying it closes the connection.
 *
 * @throws FetchRefused `too_large` and FetchFailed `decompression_failed` when the headers already tell
 */
export function responseBody(raw: RawBody, limits: RequestLimits, explain: (error: unknown) => FetchError): Readable {
  if (raw.isExpected && Number(raw.contentLength) > limits.wireBytes) throw tooLarge(limits.wireBytes, 'a body');
  const stages: readonly Stage[] = [
    byteLimit(limits.wireBytes, 'a body'),
    ...(raw.isExpected ? decompression(raw.contentEncoding) : []),
    byteLimit(limits.bodyBytes, 'a decompressed body'),
  ];
  const body = new EndingLater();
  // Nobody may be listening yet, or ever; an error that nobody hears would end the process.
  body.on('error', () => undefined);
  // The stages wait for the connection and cannot be interrupted in that, so it is the connection that is ended.
  body.once('close', () => raw.stream.destroy());
  pipeline(explained(throughAll(stages, raw.stream), explain), body, () => undefined);
  return body;
}

const throughAll = (stages: readonly Stage[], source: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  stages.reduce((chunks, stage) => stage(chunks), source);

async function* explained(
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
 * Passes everything on, and ends a turn of the event loop after its source: only then has the driver freed the connection.
 * Ended at once, a caller's next request would come too early for it, and open a second one.
 */
class EndingLater extends PassThrough {
  override _flush(done: TransformCallback): void {
    setImmediate(done);
  }
}
