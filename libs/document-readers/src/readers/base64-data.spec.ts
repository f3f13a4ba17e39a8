import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { removeBase64Data } from './base64-data.js';

describe('removeBase64Data', () => {
  it('removeBase64Data removes an embedded base64 file that consists of several lines', () => {
    const data = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 37) % 256)).toString('base64');
    const lines = data.replace(/.{76}/g, '$&\n');
    expect(removeBase64Data(`Before.\n${lines}\nAfter.`)).toMatch(/^Before\.\n+After\.$/);
  });

  it.each([
    ['hashes', Array.from({ length: 20 }, (_, at) => createHash('sha256').update(String(at)).digest('hex'))],
    [
      'gene sequences',
      Array.from({ length: 20 }, (_, at) =>
        'ACGT'
          .repeat(15)
          .slice(at % 4)
          .padEnd(60, 'A'),
      ),
    ],
  ])('removeBase64Data keeps lists of %s', (_, lines) => {
    const text = `${lines.join('\n')}\n`;
    expect(removeBase64Data(text)).toBe(text);
  });
});
