import { describeFragmentStore } from '@quarry/fragment-store/testing';
import { describe } from 'vitest';
import { openQdrantFragmentStore } from './index.js';
import { findQdrant, startQdrantServer } from './testing/index.js';

const { QDRANT_URL, PATH } = process.env;
const program = await findQdrant(PATH);

if (QDRANT_URL === undefined && program === undefined) {
  describe.skip('the fragment store in Qdrant (no server: QDRANT_URL is not set and qdrant is not on PATH)');
} else {
  describeFragmentStore('the fragment store in Qdrant', async () => {
    const server = QDRANT_URL === undefined && program !== undefined ? await startQdrantServer(program) : undefined;
    const url = server?.url ?? QDRANT_URL ?? '';
    const open = () => openQdrantFragmentStore({ url });
    const store = await open();
    return { store, reopen: open, openReader: open, cleanup: async () => server?.stop() };
  });
}
