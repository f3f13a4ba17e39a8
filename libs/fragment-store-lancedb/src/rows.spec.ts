import { sampleDocument, sampleVersion } from '@quarry/fragment-store/testing';
import { describe, expect, it } from 'vitest';
import { termsOfFragments } from './rows.js';

describe('the terms of a document’s fragments', () => {
  it('leave the process to others while there are many to find', async () => {
    let turns = 0;
    let isFound = false;
    const takeTurn = (): void => {
      turns += 1;
      if (!isFound) setImmediate(takeTurn);
    };
    // Words of no language are stemmed in all of them.
    const text = (at: number): string => Array.from({ length: 500 }, (_, word) => `zq${at}vk${word}rx`).join(' ');
    const texts = Array.from({ length: 200 }, (_, at) => text(at));
    setImmediate(takeTurn);
    const terms = await termsOfFragments(sampleVersion(sampleDocument(), texts));
    isFound = true;
    expect(terms).toHaveLength(200);
    expect(turns).toBeGreaterThan(0);
  });
});
