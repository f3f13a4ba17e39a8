import type { SafeResponse } from '@quarry/safe-fetch';

/** Reports a body that is larger than the limit. */
export class TooLarge extends Error {
  constructor(maxBytes: number) {
    super(`expected at most ${maxBytes} bytes, found more`);
    this.name = 'TooLarge';
  }
}

/** @throws TooLarge, which ends the connection, so that no more of it travels; what the body fails with */
export async function readLimitedBody(response: SafeResponse, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
