import type { Readable } from 'node:stream';

/**
 * Splits a stream into parts of `partBytes` bytes. The last part can be smaller, and an empty stream has one empty
 * part. Only one part at a time is in memory, for a short time in two copies.
 *
 * @param content a stream of bytes, or of text, which is encoded as UTF-8
 */
export async function* splitIntoParts(content: Readable, partBytes: number): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    let rest = convertChunkToBytes(chunk);
    while (size + rest.length > partBytes) {
      const missing = partBytes - size;
      yield Buffer.concat([...chunks, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      chunks = [];
      size = 0;
    }
    chunks.push(rest);
    size += rest.length;
  }
  yield Buffer.concat(chunks);
}

function convertChunkToBytes(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(`expected bytes or text as the content of a blob, found ${typeof chunk}`);
}
