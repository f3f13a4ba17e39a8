import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidBlobKey } from '../blob-key.js';
import { BlobNotFound, type BlobStore } from '../blob-store.js';
import { measureBufferMemory } from './measure-buffer-memory.js';

export interface BlobStoreUnderTest {
  readonly store: BlobStore;
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
const LARGE = 96;
const SMALL_PART = 24 * MEBIBYTE;

/**
 * Asserts the guarantees of `BlobStore`. Each test uses its own prefix, so the store may contain other blobs.
 *
 * @param options.wholeInMemory true for a test double that keeps blobs in memory: the test of memory use is omitted
 */
export function describeBlobStore(
  name: string,
  open: () => Promise<BlobStoreUnderTest>,
  { wholeInMemory = false }: { readonly wholeInMemory?: boolean } = {},
): void {
  describe(`${name} as a blob store`, () => {
    let underTest: BlobStoreUnderTest;
    let store: BlobStore;
    beforeAll(async () => {
      underTest = await open();
      store = underTest.store;
    });
    afterAll(async () => underTest.close());

    const readText = async (key: string): Promise<string> => text(await store.read(key));
    const listKeys = async (prefix: string): Promise<string[]> => {
      const keys: string[] = [];
      for await (const key of store.list(prefix)) keys.push(key);
      return keys;
    };

    it('a write returns the number of written bytes, and a read returns the same bytes', async () => {
      const bytes = randomBytes(300_000);
      const key = `${randomUUID()}/datasource/file.pdf`;
      await expect(store.write(key, Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]))).resolves.toEqual({
        size: bytes.length,
      });
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    });

    it('a blob store returns a part of a blob, and throws BlobNotFound for a part of a missing blob', async () => {
      const bytes = randomBytes(300_000);
      const key = `${randomUUID()}/datasource/parts`;
      await store.write(key, Readable.from([bytes]));
      for (const [start, length] of [
        [0, 1],
        [1_000, 200_000],
        [299_999, 1],
        [0, 300_000],
      ] as const) {
        const part = await buffer(await store.read(key, { start, length }));
        expect(part.equals(bytes.subarray(start, start + length))).toBe(true);
      }
      await expect(store.read(`${key}-not`, { start: 0, length: 1 })).rejects.toThrow(BlobNotFound);
    });

    it('a blob store stores an empty blob', async () => {
      const key = `${randomUUID()}/empty`;
      await expect(store.write(key, Readable.from([]))).resolves.toEqual({ size: 0 });
      await expect(readText(key)).resolves.toBe('');
    });

    it('a second write replaces the blob of a key', async () => {
      const key = `${randomUUID()}/name`;
      await store.write(key, Readable.from(['the first, which is longer']));
      await store.write(key, Readable.from(['the second']));
      await expect(readText(key)).resolves.toBe('the second');
    });

    it('if a write replaces a blob during a read, the reader still receives the old content', async () => {
      const key = `${randomUUID()}/name`;
      await store.write(key, Readable.from(['old']));
      const reading = await store.read(key);
      await store.write(key, Readable.from(['new']));
      await expect(text(reading)).resolves.toBe('old');
    });

    it('a blob store throws BlobNotFound for a missing key', async () => {
      await expect(store.read(`${randomUUID()}/nothing`)).rejects.toThrow(BlobNotFound);
    });

    it('a failed write leaves no part of a new blob, and keeps the content of an existing blob', async () => {
      const prefix = randomUUID();
      await store.write(`${prefix}/kept`, Readable.from(['as it was']));
      await expect(store.write(`${prefix}/fresh`, createFailingContent('half'))).rejects.toThrow(
        'the sender disconnected',
      );
      await expect(store.write(`${prefix}/kept`, createFailingContent('half'))).rejects.toThrow(
        'the sender disconnected',
      );
      await expect(store.read(`${prefix}/fresh`)).rejects.toThrow(BlobNotFound);
      await expect(readText(`${prefix}/kept`)).resolves.toBe('as it was');
    });

    it('a blob cannot be read before it is complete', async () => {
      const key = `${randomUUID()}/slow`;
      const source = new Readable({ read: () => undefined });
      const written = store.write(key, source);
      source.push('the first half, ');
      await expect(store.read(key)).rejects.toThrow(BlobNotFound);
      source.push('the second half');
      source.push(null);
      await written;
      await expect(readText(key)).resolves.toBe('the first half, the second half');
    });

    it('if the source stream is destroyed, the write fails and leaves no blob', async () => {
      const key = `${randomUUID()}/cut`;
      const source = new Readable({ read: () => undefined });
      const written = store.write(key, source);
      source.push('half');
      source.destroy();
      await expect(written).rejects.toThrow();
      await expect(store.read(key)).rejects.toThrow(BlobNotFound);
    });

    it('after concurrent writes to the same key, the blob has the complete content of one of these writes', async () => {
      const key = `${randomUUID()}/contested`;
      const versions = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
      await Promise.all(versions.map((version) => store.write(key, Readable.from([version]))));
      expect(versions).toContain(await readText(key));
    });

    it('a blob store removes a blob, and removing a missing blob succeeds', async () => {
      const key = `${randomUUID()}/name`;
      await store.write(key, Readable.from(['x']));
      await store.remove(key);
      await store.remove(key);
      await expect(store.read(key)).rejects.toThrow(BlobNotFound);
    });

    it('a blob store removes all blobs of a prefix and no others', async () => {
      const root = randomUUID();
      const inside = [`${root}/one/a`, `${root}/one/deep/b`];
      const beside = [`${root}/one-more/a`, `${root}/two`];
      for (const key of [...inside, ...beside]) await store.write(key, Readable.from([key]));
      await store.removeAll(`${root}/one/`);
      await store.removeAll(`${root}/one/`);
      for (const key of inside) await expect(store.read(key)).rejects.toThrow(BlobNotFound);
      for (const key of beside) await expect(readText(key)).resolves.toBe(key);
    });

    it('a blob store lists all keys of a prefix and no others', async () => {
      const root = randomUUID();
      const inside = [`${root}/one/a`, `${root}/one/b`, `${root}/one/deep/c`, `${root}/one/deep/er/d`];
      for (const key of [...inside, `${root}/one-more/a`, `${root}/two`]) await store.write(key, Readable.from([key]));
      expect((await listKeys(`${root}/one/`)).sort()).toEqual(inside);
      await expect(listKeys(`${root}/none/`)).resolves.toEqual([]);
    });

    it.each(['', '/', '/etc/passwd', '../up', 'a/../../up', 'a//b', 'a/', './a', 'a/.hidden', 'a\\b', 'a\0b', 'ä'])(
      'a blob store rejects the key %j in every method',
      async (key) => {
        await expect(store.write(key, Readable.from(['x']))).rejects.toThrow(InvalidBlobKey);
        await expect(store.read(key)).rejects.toThrow(InvalidBlobKey);
        await expect(store.remove(key)).rejects.toThrow(InvalidBlobKey);
        await expect(store.removeAll(`${key}/`)).rejects.toThrow(InvalidBlobKey);
        await expect(listKeys(`${key}/`)).rejects.toThrow(InvalidBlobKey);
      },
    );

    it('removeAll() rejects an empty prefix, the prefix `/`, and a prefix without a final slash', async () => {
      await expect(store.removeAll('/')).rejects.toThrow(InvalidBlobKey);
      await expect(store.removeAll('')).rejects.toThrow(InvalidBlobKey);
      await expect(store.removeAll('organization')).rejects.toThrow(InvalidBlobKey);
    });

    it('a blob store responds to a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });

    if (!wholeInMemory) testMemoryUse(() => store);
  });
}

function testMemoryUse(getStore: () => BlobStore): void {
  it('a blob store uses a small amount of memory to write and read a large blob', { timeout: 300_000 }, async () => {
    const key = `${randomUUID()}/large`;
    const limit = (await measureBufferMemory(0)) + SMALL_PART;
    let peakBytes = 0;
    const written = createHash('sha256');
    await getStore().write(
      key,
      Readable.from(
        generateMebibytes(LARGE, async (chunk) => {
          written.update(chunk);
          peakBytes = Math.max(peakBytes, await measureBufferMemory(limit));
        }),
      ),
    );
    const found = createHash('sha256');
    let read = 0;
    for await (const chunk of await getStore().read(key)) {
      if (!Buffer.isBuffer(chunk))
        throw new TypeError('expected each chunk of the blob to be a Buffer, found another type');
      found.update(chunk);
      const passed = Math.floor((read + chunk.length) / MEBIBYTE) > Math.floor(read / MEBIBYTE);
      read += chunk.length;
      if (passed) peakBytes = Math.max(peakBytes, await measureBufferMemory(limit));
    }
    await getStore().remove(key);
    expect(found.digest('hex')).toBe(written.digest('hex'));
    expect(peakBytes).toBeLessThan(limit);
  });
}

/** Creates a stream that yields `start` and then fails. */
function createFailingContent(start: string): Readable {
  return Readable.from(
    (function* () {
      yield start;
      throw new Error('the sender disconnected');
    })(),
  );
}

async function* generateMebibytes(count: number, onChunk: (chunk: Buffer) => Promise<void>): AsyncGenerator<Buffer> {
  for (let made = 0; made < count; made += 1) {
    const chunk = Buffer.alloc(MEBIBYTE, made % 251);
    await onChunk(chunk);
    yield chunk;
  }
}
