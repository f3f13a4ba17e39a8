import { chmod, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlobNotFound } from '@quarry/blob-store';
import { openFileBlobStore } from './file-blob-store.js';
import { describeBlobStore } from '@quarry/blob-store/testing';

describeBlobStore('a folder', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-blobs-'));
  return {
    store: await openFileBlobStore(join(directory, 'made', 'when missing')),
    close: () => rm(directory, { recursive: true }),
  };
});

describe('a blob store in a folder', () => {
  let directory: string;
  const listTemporaryFiles = (): Promise<string[]> => readdir(join(directory, '.unfinished'));
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-blobs-'));
  });
  afterEach(async () => {
    await chmod(directory, 0o700);
    await rm(directory, { recursive: true });
  });

  it('a file blob store keeps its blobs when it is opened again', async () => {
    await (await openFileBlobStore(directory)).write('a/b', Readable.from(['kept']));
    await expect(text(await (await openFileBlobStore(directory)).read('a/b'))).resolves.toBe('kept');
  });

  it('a file blob store leaves no temporary file after a failed write', async () => {
    const store = await openFileBlobStore(directory);
    const source = new Readable({ read: () => undefined });
    const written = store.write('a/b', source);
    source.push('half');
    await expect.poll(listTemporaryFiles).toHaveLength(1);
    source.destroy(new Error('cut off'));
    await expect(written).rejects.toThrow('cut off');
    await expect(listTemporaryFiles()).resolves.toEqual([]);
  });

  it('a file blob store closes the content stream if a write fails before it has read the stream', async () => {
    const store = await openFileBlobStore(directory);
    await store.write('a/source', Readable.from(['x']));
    const content = await store.read('a/source');
    await rm(join(directory, '.unfinished'), { recursive: true });
    await expect(store.write('a/copy', content)).rejects.toThrow('ENOENT');
    expect(content.destroyed).toBe(true);
  });

  it('opening a file blob store removes the temporary files of a killed writer, but not those of another active process', async () => {
    const store = await openFileBlobStore(directory);
    const source = new Readable({ read: () => undefined });
    const written = store.write('a/b', source);
    source.push('half');
    await expect.poll(listTemporaryFiles).toHaveLength(1);

    const second = await openFileBlobStore(directory);
    await expect(listTemporaryFiles()).resolves.toHaveLength(1);
    await expect(second.read('a/b')).rejects.toThrow(BlobNotFound);

    const [name = ''] = await listTemporaryFiles();
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    await utimes(join(directory, '.unfinished', name), twoHoursAgo, twoHoursAgo);
    await openFileBlobStore(directory);
    await expect(listTemporaryFiles()).resolves.toEqual([]);

    source.destroy();
    await expect(written).rejects.toThrow();
  });

  it('a file blob store removes the temporary files of killed writers while it runs', async () => {
    const start = Date.now();
    let passedMs = 0;
    const store = await openFileBlobStore(directory, { now: () => start + passedMs });
    await writeFile(join(directory, '.unfinished', 'left'), 'half');
    await store.write('a', Readable.from(['x']));
    await expect(listTemporaryFiles()).resolves.toEqual(['left']);
    passedMs = 7_200_000;
    await store.write('b', Readable.from(['x']));
    await expect(listTemporaryFiles()).resolves.toEqual([]);
  });

  it('opening a file blob store with `isShared: false` removes all temporary files, because no other process uses the folder', async () => {
    await openFileBlobStore(directory);
    await writeFile(join(directory, '.unfinished', 'left'), 'half');
    await openFileBlobStore(directory, { isShared: false });
    await expect(listTemporaryFiles()).resolves.toEqual([]);
  });

  it(
    'a file blob store completes a write while another process removes the target folder',
    { timeout: 30_000 },
    async () => {
      const store = await openFileBlobStore(directory);
      const writes = Array.from({ length: 50 }, (_, index) => store.write(`a/b/${index}`, Readable.from(['x'])));
      const removals = Array.from({ length: 50 }, () => store.removeAll('a/'));
      await expect(Promise.all([...writes, ...removals])).resolves.toHaveLength(100);
    },
  );

  it('a file blob store does not read a folder as a blob', async () => {
    const store = await openFileBlobStore(directory);
    await store.write('a/b', Readable.from(['x']));
    await expect(store.read('a')).rejects.toThrow(BlobNotFound);
    await expect(store.read('a/b/c')).rejects.toThrow(BlobNotFound);
  });

  it('a ping of a file blob store fails with the cause when its folder is missing', async () => {
    const store = await openFileBlobStore(join(directory, 'blobs'));
    await rm(join(directory, 'blobs'), { recursive: true });
    await symlink('/nowhere', join(directory, 'blobs'));
    await expect(store.ping()).rejects.toThrow(/ENOENT/);
  });
});
