import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { BlobStore } from '@quarry/blob-store';
import { describeBlobStore } from '@quarry/blob-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_KEY } from './fake-s3/respond-to-s3-request.js';
import { startFakeS3, type FakeS3 } from './fake-s3/start-fake-s3.js';
import { abortStaleUploads } from './abort-stale-uploads.js';
import { openS3BlobStore } from './s3-blob-store.js';
import { hasS3Server, startTestS3, type TestS3 } from './testing/index.js';

const MEBIBYTE = 1024 * 1024;
const location = { bucket: 'quarry-blobs', prefix: 'under-test/' };
const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: 'secret' };
const openStoreAt = (endpoint: string): Promise<BlobStore> =>
  openS3BlobStore('s3://quarry-blobs/under-test', { endpoint, region: 'us-east-1', credentials });

describeBlobStore('a bucket of a fake S3 server', async () => {
  const fake = await startFakeS3(location.bucket);
  return { store: await openStoreAt(fake.endpoint), close: () => fake.close() };
});

/** Base URL of a running S3 server. Undefined: the tests start a server themselves, if its program is installed. */
const address = process.env['QUARRY_TEST_S3_ENDPOINT'];
const startsServer = address === undefined && hasS3Server();
const reason =
  ' (skipped: install versitygw on PATH, or set QUARRY_TEST_S3_ENDPOINT, _KEY and _SECRET to those of a server)';
describe.skipIf(address === undefined && !startsServer)(
  `a real S3 server${address === undefined && !startsServer ? reason : ''}`,
  () => {
    describeBlobStore('its bucket', async () => {
      const { settings, bucket, stop } = startsServer ? await startTestS3() : readServerSettings(address);
      return { store: await openS3BlobStore(`s3://${bucket}/${randomUUID()}`, settings), close: stop };
    });

    it('removeAll() removes all blobs of a prefix even if the server lists their keys on several pages', async () => {
      const { settings, bucket, stop } = startsServer ? await startTestS3() : readServerSettings(address);
      const prefix = `${randomUUID()}/`;
      const store = await openS3BlobStore(`s3://${bucket}/${prefix}`, settings);
      const keys = Array.from({ length: 1_100 }, (_, index) => `many/${index}`);
      const waiting = [...keys];
      const writeRemainingKeys = async (): Promise<void> => {
        for (let key = waiting.pop(); key !== undefined; key = waiting.pop())
          await store.write(key, Readable.from([key]));
      };
      await Promise.all(Array.from({ length: 8 }, writeRemainingKeys));
      await store.removeAll('many/');
      const client = new S3Client({ ...settings, forcePathStyle: true });
      expect((await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))).KeyCount).toBe(0);
      await stop();
    });

    it('abortStaleUploads aborts the multipart uploads that began before the given time, and no later ones', async () => {
      const { settings, bucket, stop } = startsServer ? await startTestS3() : readServerSettings(address);
      const client = new S3Client({ ...settings, forcePathStyle: true });
      const prefix = `${randomUUID()}/`;
      const begun = { Bucket: bucket, Key: `${prefix}a/b` };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(begun));
      await client.send(new UploadPartCommand({ ...begun, UploadId, PartNumber: 1, Body: Buffer.alloc(MEBIBYTE) }));
      const countUploads = async (): Promise<number> =>
        (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }))).Uploads?.length ?? 0;
      const day = 86_400_000;
      await abortStaleUploads(client, { bucket, prefix }, new Date(Date.now() - day), new AbortController().signal);
      expect(await countUploads()).toBe(1);
      await abortStaleUploads(client, { bucket, prefix }, new Date(Date.now() + day), new AbortController().signal);
      expect(await countUploads()).toBe(0);
      await stop();
    });
  },
);

/**
 * Returns the settings for a running S3 server with a bucket `quarry-blobs`. The credentials come from environment
 * variables.
 */
function readServerSettings(endpoint = ''): TestS3 {
  const accessKeyId = process.env['QUARRY_TEST_S3_KEY'] ?? '';
  const secretAccessKey = process.env['QUARRY_TEST_S3_SECRET'] ?? '';
  return {
    settings: { endpoint, region: 'us-east-1', credentials: { accessKeyId, secretAccessKey } },
    bucket: 'quarry-blobs',
    stop: () => Promise.resolve(),
  };
}

describe('a blob store in a bucket', () => {
  let fake: FakeS3;
  let store: BlobStore;
  beforeEach(async () => {
    fake = await startFakeS3(location.bucket);
    store = await openStoreAt(fake.endpoint);
  });
  afterEach(() => fake.close());

  const repeatByte = (mebibytes: number): Readable =>
    Readable.from(Array.from({ length: mebibytes }, () => Buffer.alloc(MEBIBYTE)));

  it('an S3 blob store writes a small blob in one request and a large one in parts', async () => {
    await store.write('small', repeatByte(1));
    expect(fake.requests.filter((request) => request.startsWith('PUT '))).toEqual([expect.stringMatching(/\/small/)]);
    await expect(store.write('large', repeatByte(17))).resolves.toEqual({ size: 17 * MEBIBYTE });
    expect(fake.requests.filter((request) => request.includes('partNumber='))).toHaveLength(4);
    expect(fake.bucket.uploads.size).toBe(0);
  });

  it('an S3 blob store leaves no uploaded parts of a large blob if the upload fails', async () => {
    const source = Readable.from(
      (function* () {
        for (let made = 0; made < 12; made += 1) yield Buffer.alloc(MEBIBYTE);
        throw new Error('the sender disconnected');
      })(),
    );
    await expect(store.write('large', source)).rejects.toThrow('the sender disconnected');
    expect(fake.requests.some((request) => request.includes('partNumber='))).toBe(true);
    expect(fake.bucket.uploads.size).toBe(0);
    expect(fake.bucket.keys).toEqual([]);
  });

  it('opening an S3 blob store aborts only the multipart uploads under its prefix that started more than a day ago', async () => {
    const beginUpload = (key: string, hours: number): string =>
      fake.bucket.beginUpload(key, new Date(Date.now() - hours * 3_600_000));
    for (const key of ['under-test/one', 'under-test/two', 'under-test/three']) beginUpload(key, 25);
    const remaining = [beginUpload('under-test/one', 23), beginUpload('another/one', 25)];
    await openStoreAt(fake.endpoint);
    expect([...fake.bucket.uploads.keys()]).toEqual(remaining);
  });

  it('an S3 blob store retries writes and reads if the server responds that it is busy', async () => {
    fake.failNextRequests(2);
    await store.write('a/b', Readable.from(['kept']));
    fake.failNextRequests(2);
    await expect(text(await store.read('a/b'))).resolves.toBe('kept');
  });
});
