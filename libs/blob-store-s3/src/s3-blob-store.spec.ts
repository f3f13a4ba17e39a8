import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_KEY } from './fake-s3/respond-to-s3-request.js';
import { startFakeS3, type FakeS3 } from './fake-s3/start-fake-s3.js';
import { openS3BlobStore } from './s3-blob-store.js';
import type { S3Settings } from './s3-address.js';

let fake: FakeS3;
beforeEach(async () => {
  fake = await startFakeS3('quarry-blobs');
});
afterEach(() => fake.close());

const createSettings = (accessKeyId = ACCESS_KEY): S3Settings => ({
  endpoint: fake.endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey: 'secret' },
});

describe('opening an S3 blob store', () => {
  it('an S3 blob store stores every key under the prefix of its address, and removes no blob outside this prefix', async () => {
    const store = await openS3BlobStore('s3://quarry-blobs/quarry/live/', createSettings());
    const beside = await openS3BlobStore('s3://quarry-blobs', createSettings());
    await store.write('a/b', Readable.from(['kept']));
    await beside.write('a/b', Readable.from(['another']));
    expect(fake.bucket.keys).toEqual(['a/b', 'quarry/live/a/b']);
    await store.removeAll('a/');
    expect(fake.bucket.keys).toEqual(['a/b']);
  });

  it('openS3BlobStore calls `onUnavailable` if the server is unavailable, but fails if the server denies access', async () => {
    const reasons: string[] = [];
    const recordReason = (reason: Error): void => void reasons.push(reason.message);
    await expect(openS3BlobStore('s3://absent', createSettings(), recordReason)).rejects.toThrow(
      'it responded with 404',
    );
    await expect(openS3BlobStore('s3://quarry-blobs', createSettings('stranger'), recordReason)).rejects.toThrow('403');
    expect(reasons).toEqual([]);
    const closed = createSettings();
    await fake.close();
    const store = await openS3BlobStore('s3://quarry-blobs', closed, recordReason);
    expect(reasons).toEqual([expect.stringContaining('ECONNREFUSED')]);
    await expect(store.ping()).rejects.toThrow('ECONNREFUSED');
    fake = await startFakeS3('quarry-blobs');
  });

  describe('with a server that accepts connections but never responds', () => {
    let silent: Server;
    let settings: S3Settings;
    beforeEach(async () => {
      silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo; // a TCP server's address is always of this form
      settings = { ...createSettings(), endpoint: `http://127.0.0.1:${port}`, pingTimeoutMs: 20 };
    });
    afterEach(() => promisify(silent.close.bind(silent))());

    it('openS3BlobStore calls `onUnavailable` once the time limit of a ping has passed', async () => {
      const reasons: string[] = [];
      await openS3BlobStore('s3://quarry-blobs', settings, ({ message }) => void reasons.push(message));
      expect(reasons).toEqual([
        `the bucket quarry-blobs cannot be used at ${settings.endpoint ?? ''}: it did not respond within 20 ms`,
      ]);
    });

    it('openS3BlobStore fails without `onUnavailable` once the time limit of a ping has passed', async () => {
      await expect(openS3BlobStore('s3://quarry-blobs', settings)).rejects.toThrow('it did not respond within 20 ms');
    });
  });

  it('openS3BlobStore stops waiting for the removal of stale uploads once the time limit of a ping has passed', async () => {
    let lists = 0;
    const server = createHttpServer((request, response) => {
      request.resume();
      if (request.method === 'HEAD') response.end();
      else lists += 1;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
    await openS3BlobStore('s3://quarry-blobs', {
      ...createSettings(),
      endpoint: `http://127.0.0.1:${port}`,
      pingTimeoutMs: 2_000,
    });
    expect(lists).toBe(1);
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  });

  it.each([
    ['ftp://bucket', 'expected an S3 address of the form s3://bucket or s3://bucket/prefix, found "ftp://bucket"'],
    ['s3://', 'found "s3://"'],
    ['s3://Bucket', 'found "s3://Bucket"'],
    ['s3://bucket/../other', 'the prefix of "s3://bucket/../other" is invalid'],
  ])('openS3BlobStore rejects the address %s', async (url, message) => {
    await expect(openS3BlobStore(url, createSettings())).rejects.toThrow(message);
  });

  it('openS3BlobStore reports the bucket, the server and the reason when a bucket cannot be used', async () => {
    await expect(openS3BlobStore('s3://absent', createSettings())).rejects.toThrow(
      `the bucket absent cannot be used at ${fake.endpoint}: it responded with 404`,
    );
    await expect(openS3BlobStore('s3://quarry-blobs', createSettings('stranger'))).rejects.toThrow(
      'it responded with 403',
    );
    const closed = createSettings();
    await fake.close();
    fake = await startFakeS3('quarry-blobs');
    await expect(openS3BlobStore('s3://quarry-blobs', closed)).rejects.toThrow('ECONNREFUSED');
  });
});
