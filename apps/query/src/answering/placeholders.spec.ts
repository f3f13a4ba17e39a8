import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPlaceholders } from './placeholders.js';

describe('placeholders', () => {
  it('are filled wherever they stand', () => {
    const values = { query: 'Why?', context: 'Because.' };
    expect(fillPlaceholders('{context} {query} {query} {other}', values)).toBe('Because. Why? Why? {other}');
  });

  it('are not looked for in what they are filled with, nor is any of it read as a pattern', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (query, context) => {
        const filled = fillPlaceholders('<{query}|{context}>', { query, context });
        expect(filled).toBe(`<${query}|${context}>`);
      }),
    );
    const values = { query: '{context} $& $1', context: 'secret' };
    expect(fillPlaceholders('{query}', values)).toBe('{context} $& $1');
  });
});
