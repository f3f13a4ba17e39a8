import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf } from './lines.js';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

it('finds the lines again, wherever the bytes were cut', async () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), fc.boolean(), async (lines, size, isEnded) => {
      const text = lines.join('\n') + (isEnded ? '\n' : '');
      const found: string[] = [];
      for await (const each of linesOf(inChunks(new TextEncoder().encode(text), size))) found.push(each);
      expect(found).toEqual(lines);
    }),
  );
});
