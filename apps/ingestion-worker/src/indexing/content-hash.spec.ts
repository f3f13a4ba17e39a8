import type { IndexDocument } from '@quarry/contracts';
import type { Fragment } from '@quarry/document-readers';
import { describe, expect, it } from 'vitest';
import { computeContentHash } from './content-hash.js';

const JOB: IndexDocument = {
  ...{ runId: 'r', generation: 1, organizationId: 'o', datastoreId: 'd', datasourceId: 's', datasourceType: 'file' },
  ...{ documentKey: 'k', name: 'manual.pdf', mimeType: 'application/pdf', blobKey: 'b' },
  splitting: { maxTokens: 512, overlapTokens: 64 },
};
const FRAGMENT: Fragment = {
  ...{ text: 'The heron stands.', context: 'manual.pdf', page: 1, location: null, tokens: 5, repeated: 0 },
  rectangles: [],
};

describe('computeContentHash', () => {
  it('computeContentHash returns another hash if the rectangles of a fragment change, so that the next run stores the new rectangles', () => {
    const createFragmentAt = (x: number): Fragment => ({ ...FRAGMENT, rectangles: [1, x, 200, 300, 40] });
    const hashes = [FRAGMENT, createFragmentAt(100), createFragmentAt(101)].map((fragment) =>
      computeContentHash(JOB, [fragment]),
    );
    expect(new Set(hashes).size).toBe(3);
  });
});
