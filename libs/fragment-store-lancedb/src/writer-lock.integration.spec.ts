import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FragmentStore } from '@quarry/fragment-store';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVersion,
  createScope,
} from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUse, openLanceDbFragmentStore } from './index.js';

describe('the data folder of a store that is open for writing', () => {
  const document = createSampleDocument();
  let directory: string;
  let writer: FragmentStore;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    writer = await openLanceDbFragmentStore({ directory });
    await writeDocument(writer, 1);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const writeDocument = (store: FragmentStore, generation: number): Promise<void> =>
    store.replaceDocument(
      SAMPLE_COLLECTION,
      createSampleVersion(document, [`a knot ${String(generation)}`], { generation }),
    );
  const searchTexts = (store: FragmentStore) =>
    store.searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'knot' }, 10);

  it('while a store writes into a data folder, other stores can search the folder, but cannot write into it', async () => {
    const readers = await Promise.all([1, 2].map(() => openLanceDbFragmentStore({ directory })));
    for (const reader of readers) expect(await searchTexts(reader)).toHaveLength(1);
    const [reader] = readers;
    const refused = reader === undefined ? Promise.resolve() : writeDocument(reader, 2);
    await expect(refused).rejects.toBeInstanceOf(FolderInUse);
    await expect(refused).rejects.toThrow(`into ${directory}, found process ${process.pid}, since `);
    await expect(reader?.removeDocument(SAMPLE_COLLECTION, document, 1)).rejects.toBeInstanceOf(FolderInUse);
    expect(await searchTexts(writer)).toHaveLength(1);
    await Promise.all([writer, ...readers].map((store) => store.close()));
  });

  it('a second store cannot be opened for writing in a folder that another store writes into', async () => {
    await expect(openLanceDbFragmentStore({ directory, upgrade: true })).rejects.toThrow('stop it');
    await writer.close();
  });

  it('after a store is closed, another store can open its data folder for writing', async () => {
    await writer.close();
    const next = await openLanceDbFragmentStore({ directory, upgrade: true });
    await writeDocument(next, 2);
    expect(await searchTexts(next)).toHaveLength(1);
    await next.close();
  });
});
