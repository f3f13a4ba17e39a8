import { describe, expect, it } from 'vitest';
import { readLimitedText, readErrorText } from './limited-body.js';

const encoder = new TextEncoder();

/** Creates a body of the chunks, which records the number of chunks that were read and its end. */
function createBody(chunks: Iterable<string>) {
  const seen = { chunks: 0, isClosed: false };
  async function* generate(): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of chunks) {
        seen.chunks += 1;
        yield await Promise.resolve(encoder.encode(chunk));
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { body: generate(), seen };
}

function* repeatForever(chunk: string): Generator<string> {
  for (;;) yield chunk;
}

describe('readErrorText', () => {
  it('returns the beginning of an endless body and closes it', async () => {
    const { body, seen } = createBody(repeatForever('abcd'));
    expect(await readErrorText(body, 10)).toBe('abcdabcdab');
    expect(seen).toEqual({ chunks: 3, isClosed: true });
  });

  it('returns a shorter body, and an empty text without a body', async () => {
    expect(await readErrorText(createBody(['Grö', 'ße']).body, 7)).toBe('Größe');
    expect(await readErrorText(null, 7)).toBe('');
  });
});

describe('readLimitedText', () => {
  it('returns a body of exactly the maximum size', async () => {
    expect(await readLimitedText(createBody(['abc', 'def']).body, 6)).toBe('abcdef');
  });

  it('refuses a longer body and closes it', async () => {
    const { body, seen } = createBody(repeatForever('abcd'));
    await expect(readLimitedText(body, 6)).rejects.toThrow(
      'expected a response of at most 6 bytes, found a longer one',
    );
    expect(seen.isClosed).toBe(true);
  });
});
