import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FragmentStore } from '@quarry/fragment-store';
import { SAMPLE_COLLECTION, sampleDocument, sampleVersion, scopeOf } from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUse, openLanceDbFragmentStore } from './index.js';

describe('a folder that a store writes into', () => {
  const document = sampleDocument();
  let directory: string;
  let writer: FragmentStore;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    writer = await openLanceDbFragmentStore({ directory });
    await write(writer, 1);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const write = (store: FragmentStore, generation: number): Promise<void> =>
    store.replaceDocument(SAMPLE_COLLECTION, sampleVersion(document, [`a knot ${String(generation)}`], { generation }));
  const found = (store: FragmentStore) => store.searchLexical(SAMPLE_COLLECTION, scopeOf(document), 'knot', 10);

  it('is searched by others, which do not write into it', async () => {
    const readers = await Promise.all([1, 2].map(() => openLanceDbFragmentStore({ directory })));
    for (const reader of readers) expect(await found(reader)).toHaveLength(1);
    const [reader] = readers;
    const refused = reader === undefined ? Promise.resolve() : write(reader, 2);
    await expect(refused).rejects.toBeInstanceOf(FolderInUse);
    await expect(refused).rejects.toThrow(`into ${directory}, found process ${process.pid}, since `);
    await expect(reader?.removeDocument(SAMPLE_COLLECTION, document, 1)).rejects.toBeInstanceOf(FolderInUse);
    expect(await found(writer)).toHaveLength(1);
    await Promise.all([writer, ...readers].map((store) => store.close()));
  });

  it('is refused at once to a store that is opened to write', async () => {
    await expect(openLanceDbFragmentStore({ directory, upgrade: true })).rejects.toThrow('stop it');
    await writer.close();
  });

  it('is free for the next writer once it is closed', async () => {
    await writer.close();
    const next = await openLanceDbFragmentStore({ directory, upgrade: true });
    await write(next, 2);
    expect(await found(next)).toHaveLength(1);
    await next.close();
  });
});
