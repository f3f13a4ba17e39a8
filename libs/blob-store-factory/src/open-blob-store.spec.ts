import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { openFileBlobStore } from '@quarry/blob-store-file';
import { describe, expect, it } from 'vitest';
import { openBlobStore } from './open-blob-store.js';

const CREDENTIALS = { accessKeyId: 'access-key-of-the-tests', secretAccessKey: 'secret' };
/** Settings of an unavailable S3 server: no process listens on port 1. */
const UNAVAILABLE_SERVER = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', credentials: CREDENTIALS };

describe('opening a blob store', () => {
  it('openBlobStore opens the folder of an address that starts with `file:`', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quarry blobs-'));
    const store = await openBlobStore({ url: pathToFileURL(directory).href, s3: UNAVAILABLE_SERVER });
    await store.write('a/b', Readable.from(['kept']));
    await expect(text(await (await openFileBlobStore(directory)).read('a/b'))).resolves.toBe('kept');
    await rm(directory, { recursive: true });
  });

  it('openBlobStore opens the bucket of an S3 address with the given S3 settings', async () => {
    const reasons: string[] = [];
    await openBlobStore({ url: 's3://quarry-blobs', s3: UNAVAILABLE_SERVER }, ({ message }) => reasons.push(message));
    expect(reasons).toEqual([
      expect.stringMatching(/^the bucket quarry-blobs cannot be used at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/),
    ]);
  });

  it('openBlobStore rejects an address that is neither a file nor an S3 address', async () => {
    await expect(openBlobStore({ url: 'ftp://bucket', s3: UNAVAILABLE_SERVER })).rejects.toThrow(
      'expected an S3 address of the form s3://bucket or s3://bucket/prefix, found "ftp://bucket"',
    );
  });
});
