import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFragmentStore } from '@quarry/fragment-store/testing';
import { openLanceDbFragmentStore } from './index.js';

describeFragmentStore('the fragment store in LanceDB', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
  // Optimizes more often than in production, so that it runs during the tests and vectors are indexed early.
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
    cleanup: async () => {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
});
