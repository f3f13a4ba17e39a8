import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describeBlobStore } from '@quarry/blob-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_KEY, startFakeS3, type FakeS3 } from './fake-s3/start-fake-s3.js';
import { openS3BlobStore } from './s3-blob-store.js';
import type { BlobStore } from '@quarry/blob-store';

const MEBIBYTE = 1024 * 1024;
const location = { bucket: 'quarry-blobs', prefix: 'under-test/' };
const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: 'secret' };
const openAt = (endpoint: string): Promise<BlobStore> =>
  openS3BlobStore(location, { endpoint, region: 'us-east-1', credentials });

describeBlobStore('a bucket of a fake S3 server', async () => {
  const fake = await startFakeS3(location.bucket);
  return { store: await openAt(fake.endpoint), close: () => fake.close() };
});

const url = process.env['QUARRY_TEST_S3_ENDPOINT'];
const title = url === undefined ? ' (skipped: QUARRY_TEST_S3_ENDPOINT, _KEY and _SECRET name no server)' : '';
describe.skipIf(url === undefined)(`a real S3 server${title}`, () => {
  describeBlobStore('its bucket quarry-blobs', async () => ({
    store: await openS3BlobStore(
      { bucket: 'quarry-blobs', prefix: `${randomUUID()}/` },
      {
        endpoint: url,
        region: 'us-east-1',
        credentials: {
          accessKeyId: process.env['QUARRY_TEST_S3_KEY'] ?? '',
          secretAccessKey: process.env['QUARRY_TEST_S3_SECRET'] ?? '',
        },
      },
    ),
    close: async () => undefined,
  }));
});

describe('a bucket of blobs', () => {
  let fake: FakeS3;
  let store: BlobStore;
  beforeEach(async () => {
    fake = await startFakeS3(location.bucket);
    store = await openAt(fake.endpoint);
  });
  afterEach(() => fake.close());

  const madeOf = (mebibytes: number): Readable =>
    Readable.from(Array.from({ length: mebibytes }, () => Buffer.alloc(MEBIBYTE)));

  it('writes a small blob in one request and a large one in parts', async () => {
    await store.write('small', madeOf(1));
    expect(fake.requests.slice(1)).toEqual([expect.stringMatching(/^PUT .*\/small/)]);
    await expect(store.write('large', madeOf(17))).resolves.toEqual({ size: 17 * MEBIBYTE });
    expect(fake.requests.filter((request) => request.includes('partNumber='))).toHaveLength(4);
    expect(fake.bucket.unfinished).toBe(0);
  });

  it('leaves no part of a large blob that failed', async () => {
    const source = Readable.from(
      (function* () {
        for (let made = 0; made < 12; made += 1) yield Buffer.alloc(MEBIBYTE);
        throw new Error('the sender went away');
      })(),
    );
    await expect(store.write('large', source)).rejects.toThrow('the sender went away');
    expect(fake.requests.some((request) => request.includes('partNumber='))).toBe(true);
    expect(fake.bucket.unfinished).toBe(0);
    expect(fake.bucket.keys).toEqual([]);
  });

  it('writes and reads once more when the server is too busy', async () => {
    fake.failNext(2);
    await store.write('a/b', Readable.from(['kept']));
    fake.failNext(2);
    await expect(text(await store.read('a/b'))).resolves.toBe('kept');
  });
});
