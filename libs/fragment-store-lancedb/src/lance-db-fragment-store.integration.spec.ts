import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { describePersistentFragmentStore } from '@quarry/fragment-store/testing';
import { vi } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';

describePersistentFragmentStore('the fragment store in LanceDB', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
  // The store optimizes more often than in production, so that optimizations run during the tests and index vectors
  // early.
  const maintenance = { commits: 5, rows: 500, idleMs: 20, pauseFactor: 1, vectorIndexFrom: 300 };
  const openStore = () => openLanceDbFragmentStore({ directory, maintenance });
  let store = await openStore();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openStore();
      return store;
    },
    openReader: openStore,
    scoreTolerance: 0.15,
    waitUntilIndexed: () => vi.waitUntil(() => isIndexed(directory), { timeout: 30_000 }).then(() => undefined),
    cleanup: async () => {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
});

/** Returns true if the term index of every table contains all rows of the table. */
async function isIndexed(directory: string): Promise<boolean> {
  const connection = await connect(directory);
  try {
    for (const name of (await connection.listTables({ limit: 10_000 })).tables) {
      const statistics = await (await connection.openTable(name)).indexStats('terms_idx');
      if (statistics === undefined || statistics.numUnindexedRows > 0) return false;
    }
    return true;
  } finally {
    connection.close();
  }
}
