import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sampleDocument, sampleVersion } from '@quarry/fragment-store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';

/** Optimizes the table after each commit, and replaces the connections soon. */
const ALWAYS = { commits: 1, idleMs: 0, pauseFactor: 0, retentionMs: 0, renewAfter: 3 };
const COLLECTION = { embedding: null };
/** More files than the connections open between two replacements. Without replacements, 200 writes leave more of them open. */
const MAX_DELETED_FILES = 25;

/** Runs a garbage collection, which releases the sessions that nothing refers to. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void; // the flag adds this function
  gc();
}

/** Counts the deleted files that this process has open. @returns undefined on systems without /proc */
async function countDeletedFiles(folder: string): Promise<number | undefined> {
  const handles = await readdir('/proc/self/fd').catch(() => undefined);
  if (handles === undefined) return undefined;
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder) && target.endsWith('(deleted)')).length;
}

it('closes the files of deleted index versions while the store is written and searched', async ({ skip }) => {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
  if ((await countDeletedFiles(directory)) === undefined) return skip('this system has no /proc');
  const store = await openLanceDbFragmentStore({ directory, upgrade: true, maintenance: ALWAYS });
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
  const document = sampleDocument();
  const scope = { organizationId: document.organizationId, datastoreIds: [document.datastoreId] };
  for (let number = 0; number < 200; number += 1) {
    const version = sampleVersion({ ...document, documentKey: `d${number}` }, [`heron ${number}`]);
    const fragments = version.fragments.map((fragment) => ({ ...fragment, vector: null }));
    await store.replaceDocument(COLLECTION, { ...version, fragments });
    expect((await store.searchLexical(COLLECTION, scope, 'heron', 5)).length).toBeGreaterThan(0);
  }
  await expect
    .poll(async () => {
      collectGarbage();
      return countDeletedFiles(directory);
    })
    .toBeLessThan(MAX_DELETED_FILES);
}, 120_000);
