import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { describe, expect, it } from 'vitest';
import { getCrawlFolders } from './page-records.js';
import { RetainedPages, removeUnretainedPages } from './retained-pages.js';

const RUN = { organizationId: 'org', datastoreId: 'store', datasourceId: 'source', generation: 1 };
const { signal } = new AbortController();

describe('removeUnretainedPages', () => {
  it('if the removal of a blob fails, removeUnretainedPages waits for the other removals, and then rejects with the error', async () => {
    const store = createInMemoryBlobStore();
    const { records } = getCrawlFolders(RUN);
    for (const name of ['a', 'b', 'c']) await store.write(records + name, Readable.from(['{}']));
    const removed: string[] = [];
    const remove = async (key: string): Promise<void> => {
      if (key.endsWith('a')) throw new Error('the blob store is unavailable');
      await turn();
      removed.push(key.slice(records.length));
    };
    const sweep = { blobs: { ...store, remove }, run: RUN, retained: new RetainedPages(), complete: true, signal };
    await expect(removeUnretainedPages(sweep)).rejects.toThrow('the blob store is unavailable');
    expect(removed).toEqual(['b', 'c']);
  });
});
