import type { SafeResponse } from '@quarry/safe-fetch';

/** Reports a body that is larger than the limit. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`expected at most ${maxBytes} bytes, found more`);
    this.name = 'BodyTooLarge';
  }
}

/** Reads a whole body. @throws BodyTooLarge, which closes the connection; the error of the body */
export async function readLimitedBody(response: SafeResponse, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
