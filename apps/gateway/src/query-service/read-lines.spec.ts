import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLines } from './read-lines.js';

async function* splitIntoChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

it('readLines returns the same lines however the bytes are split into chunks', async () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), fc.boolean(), async (lines, size, isEnded) => {
      const text = lines.join('\n') + (isEnded ? '\n' : '');
      const found: string[] = [];
      for await (const each of readLines(splitIntoChunks(new TextEncoder().encode(text), size))) found.push(each);
      expect(found).toEqual(lines);
    }),
  );
});
