import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidBlobKey } from '../blob-key.js';
import { BlobNotFound, type BlobStore } from '../blob-store.js';
import { heldBytes } from './held-bytes.js';

export interface BlobStoreUnderTest {
  readonly store: BlobStore;
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
const LARGE = 96;
const SMALL_PART = 24 * MEBIBYTE;

/**
 * The port's guarantees as tests. Each test uses a prefix of its own, so the store may hold other things.
 *
 * @param wholeInMemory for a double that keeps blobs in memory: the guarantee about large blobs is not asked of it
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
    const keysUnder = async (prefix: string): Promise<string[]> => {
      const keys: string[] = [];
      for await (const key of store.list(prefix)) keys.push(key);
      return keys;
    };

    it('gives back the bytes that were written, and says how many they are', async () => {
      const bytes = randomBytes(300_000);
      const key = `${randomUUID()}/datasource/file.pdf`;
      await expect(store.write(key, Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]))).resolves.toEqual({
        size: bytes.length,
      });
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    });

    it('gives back a part of a blob, and says that the blob is not there', async () => {
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

    it('keeps an empty blob', async () => {
      const key = `${randomUUID()}/empty`;
      await expect(store.write(key, Readable.from([]))).resolves.toEqual({ size: 0 });
      await expect(readText(key)).resolves.toBe('');
    });

    it('replaces what is under a key', async () => {
      const key = `${randomUUID()}/name`;
      await store.write(key, Readable.from(['the first, which is longer']));
      await store.write(key, Readable.from(['the second']));
      await expect(readText(key)).resolves.toBe('the second');
    });

    it('goes on reading the old bytes when the key is replaced meanwhile', async () => {
      const key = `${randomUUID()}/name`;
      await store.write(key, Readable.from(['old']));
      const reading = await store.read(key);
      await store.write(key, Readable.from(['new']));
      await expect(text(reading)).resolves.toBe('old');
    });

    it('says that a key is not there', async () => {
      await expect(store.read(`${randomUUID()}/nothing`)).rejects.toThrow(BlobNotFound);
    });

    it('leaves nothing of a write that fails, and keeps what was there before', async () => {
      const prefix = randomUUID();
      await store.write(`${prefix}/kept`, Readable.from(['as it was']));
      await expect(store.write(`${prefix}/fresh`, failingAfter('half'))).rejects.toThrow('the sender went away');
      await expect(store.write(`${prefix}/kept`, failingAfter('half'))).rejects.toThrow('the sender went away');
      await expect(store.read(`${prefix}/fresh`)).rejects.toThrow(BlobNotFound);
      await expect(readText(`${prefix}/kept`)).resolves.toBe('as it was');
    });

    it('shows nothing of a blob before it is whole', async () => {
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

    it('takes a sender that is cut off for a failed write', async () => {
      const key = `${randomUUID()}/cut`;
      const source = new Readable({ read: () => undefined });
      const written = store.write(key, source);
      source.push('half');
      source.destroy();
      await expect(written).rejects.toThrow();
      await expect(store.read(key)).rejects.toThrow(BlobNotFound);
    });

    it('keeps one whole version when two writers meet', async () => {
      const key = `${randomUUID()}/contested`;
      const versions = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
      await Promise.all(versions.map((version) => store.write(key, Readable.from([version]))));
      expect(versions).toContain(await readText(key));
    });

    it('removes a blob, and succeeds when there is none', async () => {
      const key = `${randomUUID()}/name`;
      await store.write(key, Readable.from(['x']));
      await store.remove(key);
      await store.remove(key);
      await expect(store.read(key)).rejects.toThrow(BlobNotFound);
    });

    it('removes all that is under a prefix and nothing beside it', async () => {
      const root = randomUUID();
      const inside = [`${root}/one/a`, `${root}/one/deep/b`];
      const beside = [`${root}/one-more/a`, `${root}/two`];
      for (const key of [...inside, ...beside]) await store.write(key, Readable.from([key]));
      await store.removeAll(`${root}/one/`);
      await store.removeAll(`${root}/one/`);
      for (const key of inside) await expect(store.read(key)).rejects.toThrow(BlobNotFound);
      for (const key of beside) await expect(readText(key)).resolves.toBe(key);
    });

    it('lists all that is under a prefix and nothing beside it', async () => {
      const root = randomUUID();
      const inside = [`${root}/one/a`, `${root}/one/b`, `${root}/one/deep/c`, `${root}/one/deep/er/d`];
      for (const key of [...inside, `${root}/one-more/a`, `${root}/two`]) await store.write(key, Readable.from([key]));
      expect((await keysUnder(`${root}/one/`)).sort()).toEqual(inside);
      await expect(keysUnder(`${root}/none/`)).resolves.toEqual([]);
    });

    it.each(['', '/', '/etc/passwd', '../up', 'a/../../up', 'a//b', 'a/', './a', 'a/.hidden', 'a\\b', 'a\0b', 'ä'])(
      'refuses the key %j in every method',
      async (key) => {
        await expect(store.write(key, Readable.from(['x']))).rejects.toThrow(InvalidBlobKey);
        await expect(store.read(key)).rejects.toThrow(InvalidBlobKey);
        await expect(store.remove(key)).rejects.toThrow(InvalidBlobKey);
        await expect(store.removeAll(`${key}/`)).rejects.toThrow(InvalidBlobKey);
        await expect(keysUnder(`${key}/`)).rejects.toThrow(InvalidBlobKey);
      },
    );

    it('refuses to remove everything, or the beginnings of names', async () => {
      await expect(store.removeAll('/')).rejects.toThrow(InvalidBlobKey);
      await expect(store.removeAll('')).rejects.toThrow(InvalidBlobKey);
      await expect(store.removeAll('organization')).rejects.toThrow(InvalidBlobKey);
    });

    it('answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });

    it.skipIf(wholeInMemory)(
      'holds a small part of a large blob in memory, writing and reading',
      { timeout: 60_000 },
      async () => {
        const key = `${randomUUID()}/large`;
        const limit = (await heldBytes(0)) + SMALL_PART;
        let most = 0;
        const written = createHash('sha256');
        await store.write(
          key,
          Readable.from(
            mebibytes(LARGE, async (chunk) => {
              written.update(chunk);
              most = Math.max(most, await heldBytes(limit));
            }),
          ),
        );
        const found = createHash('sha256');
        let read = 0;
        for await (const chunk of await store.read(key)) {
          if (!Buffer.isBuffer(chunk)) throw new TypeError('a blob is read as bytes');
          found.update(chunk);
          const passed = Math.floor((read + chunk.length) / MEBIBYTE) > Math.floor(read / MEBIBYTE);
          read += chunk.length;
          if (passed) most = Math.max(most, await heldBytes(limit));
        }
        await store.remove(key);
        expect(found.digest('hex')).toBe(written.digest('hex'));
        expect(most).toBeLessThan(limit);
      },
    );
  });
}

function failingAfter(start: string): Readable {
  return Readable.from(
    (function* () {
      yield start;
      throw new Error('the sender went away');
    })(),
  );
}

async function* mebibytes(count: number, onChunk: (chunk: Buffer) => Promise<void>): AsyncGenerator<Buffer> {
  for (let made = 0; made < count; made += 1) {
    const chunk = Buffer.alloc(MEBIBYTE, made % 251);
    await onChunk(chunk);
    yield chunk;
  }
}
