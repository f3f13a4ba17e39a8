import { describe, expect, it } from 'vitest';
import { createEventLimitCheck, limitEventSizes } from './limited-events.js';

const LIMITS = { maxEventBytes: 20, maxBytes: 1_000 };
const encoder = new TextEncoder();

/** Passes a text to a new limit check in chunks of `size` characters. @returns the number of accepted chunks */
function checkChunks(text: string, size: number, limits = LIMITS): number {
  const check = createEventLimitCheck(limits);
  const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  const refused = chunks.findIndex((chunk) => {
    try {
      check(encoder.encode(chunk));
      return false;
    } catch (error) {
      if (error instanceof RangeError) return true;
      throw error;
    }
  });
  return refused === -1 ? chunks.length : refused;
}

describe('createEventLimitCheck', () => {
  it.each(['\n\n', '\r\n\r\n', '\r\r'])(
    'createEventLimitCheck accepts any number of short events that end with %j',
    (end) => {
      const text = `event: a${end.slice(end.length / 2)}data: 123${end}`.repeat(20);
      for (const size of [1, 2, 3, 7, 1_000]) expect(checkChunks(text, size)).toBe(Math.ceil(text.length / size));
    },
  );

  it('createEventLimitCheck refuses a long event, even if the lines of the event are short', () => {
    expect(checkChunks(`data: ${'x'.repeat(40)}`, 1)).toBe(20);
    expect(checkChunks('data: 1\n'.repeat(10), 1)).toBe(20);
    expect(checkChunks('data: 1\r\n'.repeat(10), 9)).toBe(2);
  });

  it('createEventLimitCheck refuses a stream above the maximum size, even if all lines of the stream are blank', () => {
    expect(checkChunks('\n'.repeat(2_000), 100)).toBe(10);
  });
});

describe('limitEventSizes', () => {
  it('limitEventSizes keeps short events, the status and the headers', async () => {
    const limited = limitEventSizes(new Response('data: 1\n\n', { status: 203, headers: { 'x-a': 'b' } }), LIMITS);
    expect([limited.status, limited.headers.get('x-a'), await limited.text()]).toEqual([203, 'b', 'data: 1\n\n']);
  });

  it('reading an endless event through limitEventSizes fails, and cancels the original body', async () => {
    const cancelled = Promise.withResolvers<unknown>();
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(encoder.encode('data'));
      },
      cancel: cancelled.resolve,
    });
    await expect(limitEventSizes(new Response(endless), LIMITS).text()).rejects.toThrow(
      'expected an event of at most 20 bytes, found a longer one',
    );
    await cancelled.promise;
  });
});
