import { createSampleDocument, createSampleVersion } from '@quarry/fragment-store/testing';
import { describe, expect, it } from 'vitest';
import { analyzeFragments } from './rows.js';

describe('the lexical analysis of fragments', () => {
  it('analyzeFragments yields to the event loop if there are many fragments', async () => {
    let turns = 0;
    let isFound = false;
    const waitForEventLoop = (): void => {
      turns += 1;
      if (!isFound) setImmediate(waitForEventLoop);
    };
    // The language of these words is unclear, so the stemmers of all languages are applied to the words, which takes
    // long.
    const createText = (at: number): string => Array.from({ length: 500 }, (_, word) => `zq${at}vk${word}rx`).join(' ');
    const texts = Array.from({ length: 200 }, (_, at) => createText(at));
    setImmediate(waitForEventLoop);
    const { terms } = await analyzeFragments(createSampleVersion(createSampleDocument(), texts));
    isFound = true;
    expect(terms).toHaveLength(200);
    expect(turns).toBeGreaterThan(0);
  });
});
