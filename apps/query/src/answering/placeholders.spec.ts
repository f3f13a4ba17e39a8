import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPlaceholders } from './placeholders.js';

describe('placeholders', () => {
  it('are filled at every occurrence', () => {
    const values = { query: 'Why?', context: 'Because.' };
    expect(fillPlaceholders('{context} {query} {query} {other}', values)).toBe('Because. Why? Why? {other}');
  });

  it('are not searched for in the inserted values, and the values are not read as patterns', () => {
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
