import type { Readable } from 'node:stream';

/**
 * Cuts a stream: each part has `bytes` bytes and the last one at most so many. An empty stream is one empty part. One part is
 * in memory at a time, twice for a moment.
 *
 * @param content of bytes or of text, which becomes UTF-8
 */
export async function* partsOf(content: Readable, bytes: number): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    let rest = bytesOf(chunk);
    while (size + rest.length > bytes) {
      const missing = bytes - size;
      yield Buffer.concat([...waiting, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      waiting = [];
      size = 0;
    }
    waiting.push(rest);
    size += rest.length;
  }
  yield Buffer.concat(waiting);
}

function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(`a blob is written as bytes or text, found ${typeof chunk}`);
}
