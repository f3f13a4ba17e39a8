import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPlaceholders } from './placeholders.js';

describe('fillPlaceholders', () => {
  it('replaces every occurrence of {query} and {context}, and no other text in braces', () => {
    const values = { query: 'Why?', context: 'Because.' };
    expect(fillPlaceholders('{context} {query} {query} {other}', values)).toBe('Because. Why? Why? {other}');
  });

  it('inserts values unchanged, even if they contain placeholders or replacement patterns such as $1', () => {
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
