import { describe, expect, it } from 'vitest';
import { limitBodySize, readLimitedText, readErrorText, shortenErrorBody } from './limited-body.js';

const encoder = new TextEncoder();

/** Creates a body of the given chunks. Records how many chunks were read, and whether the body was closed. */
function createBody(chunks: Iterable<string>) {
  const seen = { chunks: 0, isClosed: false };
  async function* generateChunks(): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of chunks) {
        seen.chunks += 1;
        yield await Promise.resolve(encoder.encode(chunk));
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { body: generateChunks(), seen };
}

function* repeatForever(chunk: string): Generator<string> {
  for (;;) yield chunk;
}

describe('readErrorText', () => {
  it('readErrorText returns the beginning of an endless body and closes the body', async () => {
    const { body, seen } = createBody(repeatForever('abcd'));
    expect(await readErrorText(body, 10)).toBe('abcdabcdab');
    expect(seen).toEqual({ chunks: 3, isClosed: true });
  });

  it('readErrorText returns the whole body if it is below the limit, and an empty text if there is no body', async () => {
    expect(await readErrorText(createBody(['Grö', 'ße']).body, 7)).toBe('Größe');
    expect(await readErrorText(null, 7)).toBe('');
  });
});

describe('readLimitedText', () => {
  it('readLimitedText returns a body of exactly the maximum size', async () => {
    expect(await readLimitedText(createBody(['abc', 'def']).body, 6)).toBe('abcdef');
  });

  it('readLimitedText rejects a body above the maximum size, and closes the body', async () => {
    const { body, seen } = createBody(repeatForever('abcd'));
    await expect(readLimitedText(body, 6)).rejects.toThrow(
      'expected a response of at most 6 bytes, found a longer one',
    );
    expect(seen.isClosed).toBe(true);
  });
});

describe('limitBodySize', () => {
  const createResponse = (body: AsyncIterable<Uint8Array> | null): Response =>
    new Response(body === null ? null : ReadableStream.from(body), { status: 203, headers: { 'x-a': 'b' } });

  it('limitBodySize returns the status, the headers and a body of exactly the maximum size unchanged', async () => {
    const limited = limitBodySize(createResponse(createBody(['abc', 'def']).body), 6);
    expect([limited.status, limited.headers.get('x-a'), await limited.text()]).toEqual([203, 'b', 'abcdef']);
  });

  it('if a body exceeds the maximum size, reading it through limitBodySize fails and closes the body', async () => {
    const { body, seen } = createBody(repeatForever('abcd'));
    await expect(limitBodySize(createResponse(body), 6).text()).rejects.toThrow(RangeError);
    await expect.poll(() => seen.isClosed).toBe(true);
  });

  it('limitBodySize returns a response without a body unchanged', () => {
    const response = createResponse(null);
    expect(limitBodySize(response, 6)).toBe(response);
  });
});

describe('shortenErrorBody', () => {
  it('shortenErrorBody returns the status and the beginning of a long body, and closes the body', async () => {
    const { body, seen } = createBody(repeatForever('abcd'.repeat(1_024)));
    const error = await shortenErrorBody(new Response(ReadableStream.from(body), { status: 502 }));
    expect([error.status, (await error.text()).length]).toEqual([502, 64 * 1_024]);
    expect(seen.isClosed).toBe(true);
  });

  it('shortenErrorBody returns a response without a body unchanged', async () => {
    const response = new Response(null, { status: 304 });
    expect(await shortenErrorBody(response)).toBe(response);
  });
});
