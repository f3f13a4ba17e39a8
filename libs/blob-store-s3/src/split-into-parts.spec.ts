import { Readable } from 'node:stream';
import { array, assert, asyncProperty, integer, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoParts } from './split-into-parts.js';

async function splitIntoChunks(content: Readable, bytes: number): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of splitIntoParts(content, bytes)) parts.push(part);
  return parts;
}

describe('splitting a stream into parts', () => {
  it('splitIntoParts keeps every byte, and returns parts of the given size, except a smaller last part', async () => {
    const chunks = array(uint8Array({ maxLength: 40 }), { maxLength: 12 });
    await assert(
      asyncProperty(chunks, integer({ min: 1, max: 16 }), async (given, bytes) => {
        const parts = await splitIntoChunks(Readable.from(given), bytes);
        expect(Buffer.concat(parts)).toEqual(Buffer.concat(given));
        expect(parts.slice(0, -1).every((part) => part.length === bytes)).toBe(true);
        const last = parts.at(-1)?.length ?? -1;
        expect(last).toBeLessThanOrEqual(bytes);
        expect(last > 0 || parts.length === 1).toBe(true);
      }),
    );
  });

  it('splitIntoParts encodes text as UTF-8 and rejects chunks that are neither bytes nor text', async () => {
    expect(Buffer.concat(await splitIntoChunks(Readable.from(['ä', 'b']), 2)).toString()).toBe('äb');
    await expect(splitIntoChunks(Readable.from([{ a: 1 }]), 2)).rejects.toThrow('found object');
  });
});
