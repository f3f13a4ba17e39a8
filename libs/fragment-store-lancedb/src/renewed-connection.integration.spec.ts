import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSampleDocument, createSampleVersion } from '@quarry/fragment-store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';

/** Policy that optimizes a table after each commit, and replaces the connections after few optimizations. */
const ALWAYS = { commits: 1, idleMs: 0, pauseFactor: 0, retentionMs: 0, renewAfter: 3 };
const COLLECTION = { embedding: null };
/** Number of deleted files that must be open before the test waits until all of them are closed. */
const DELETED_FILES = 10;
/**
 * Maximum number of writes: more than enough to have `DELETED_FILES` deleted files open, and to replace the
 * connections.
 */
const MAX_WRITES = 400;
const WRITES_PER_CHECK = 20;

/** Runs a garbage collection, which releases unreferenced sessions. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void; // the flag adds this function
  gc();
}

/** Lists the deleted files that this process has open. @returns undefined on systems without /proc */
async function listDeletedFiles(folder: string): Promise<readonly string[] | undefined> {
  const handles = await readdir('/proc/self/fd').catch(() => undefined);
  if (handles === undefined) return undefined;
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder) && target.endsWith('(deleted)'));
}

describe('RenewedConnection', () => {
  it('during writes and searches, a store closes the files of index versions that were deleted', async ({ skip }) => {
    const directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    if ((await listDeletedFiles(directory)) === undefined) return skip('this system has no /proc');
    const store = await openLanceDbFragmentStore({ directory, upgrade: true, maintenance: ALWAYS });
    onTestFinished(async () => {
      await store.close();
      await rm(directory, { recursive: true });
    });
    const document = createSampleDocument();
    const scope = { organizationId: document.organizationId, datastoreIds: [document.datastoreId] };
    const writeAndSearch = async (documentKey: string): Promise<void> => {
      const version = createSampleVersion({ ...document, documentKey }, [`heron ${documentKey}`]);
      const fragments = version.fragments.map((fragment) => ({ ...fragment, vector: null }));
      await store.replaceDocument(COLLECTION, { ...version, fragments });
      expect((await store.searchLexical(COLLECTION, scope, { text: 'heron' }, 5)).length).toBeGreaterThan(0);
    };

    const deleted = new Set<string>();
    for (let number = 0; deleted.size < DELETED_FILES && number < MAX_WRITES; number += 1) {
      await writeAndSearch(`before${number}`);
      for (const file of (await listDeletedFiles(directory)) ?? []) deleted.add(file);
    }
    expect(deleted.size).toBeGreaterThanOrEqual(DELETED_FILES);

    let stillOpen: readonly string[] = [...deleted];
    for (let number = 1; stillOpen.length > 0 && number <= MAX_WRITES; number += 1) {
      await writeAndSearch(`after${number}`);
      if (number % WRITES_PER_CHECK !== 0) continue;
      collectGarbage();
      stillOpen = (await listDeletedFiles(directory))?.filter((file) => deleted.has(file)) ?? [];
    }
    expect(stillOpen).toEqual([]);
  }, 120_000);
});
