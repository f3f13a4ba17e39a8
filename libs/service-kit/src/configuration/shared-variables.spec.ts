import { describe, expect, it } from 'vitest';
import { readBlobConfig } from './blob-variables.js';
import { readFragmentsConfig } from './fragment-variables.js';
import { readQueueUrl } from './queue-variables.js';
import { createServiceConfigReader } from './service-variables.js';

describe('the environment variables that services share', () => {
  it('createServiceConfigReader uses the default port of the service if QUARRY_PORT is not set', () => {
    expect(createServiceConfigReader(3004)({})).toMatchObject({ host: '0.0.0.0', port: 3004, logLevel: 'info' });
    expect(createServiceConfigReader(3004)({ QUARRY_PORT: '0' }).port).toBe(0);
  });

  it('the timeout variables limit how long clients may take to send a request', () => {
    expect(createServiceConfigReader(1)({}).timeouts).toEqual({
      headersMs: 20_000,
      bodyMs: 3_600_000,
      minBodyBytesPerSecond: 1_024,
    });
    const environment = {
      QUARRY_HEADER_TIMEOUT_SECONDS: '5',
      QUARRY_MAX_UPLOAD_SECONDS: '60',
      QUARRY_MIN_UPLOAD_BYTES_PER_SECOND: '0',
    };
    expect(createServiceConfigReader(1)(environment).timeouts).toEqual({
      headersMs: 5_000,
      bodyMs: 60_000,
      minBodyBytesPerSecond: 0,
    });
    expect(() => createServiceConfigReader(1)({ QUARRY_HEADER_TIMEOUT_SECONDS: '0' })).toThrow(
      /QUARRY_HEADER_TIMEOUT_SECONDS/,
    );
  });

  it.each(['redis://queue', 'rediss://queue:6380/2', 'postgres://db/quarry', 'redis+sentinel://a:26379,b/mymaster'])(
    'QUARRY_QUEUE_URL can be %s',
    (url) => {
      expect(readQueueUrl({ QUARRY_QUEUE_URL: url })).toBe(url);
    },
  );

  it.each(['amqp://queue', 'redis'])('QUARRY_QUEUE_URL cannot be %s', (url) => {
    expect(() => readQueueUrl({ QUARRY_QUEUE_URL: url })).toThrow('must be a redis:// or postgres:// address');
  });

  it('readBlobConfig accepts the address of a folder or of S3, and rejects S3 credentials of which one part is missing', () => {
    const file = { url: 'file:///blobs', s3: { endpoint: undefined, region: 'us-east-1', credentials: undefined } };
    expect(readBlobConfig({ QUARRY_BLOB_URL: 'file:///blobs' })).toEqual(file);
    const s3 = {
      QUARRY_BLOB_URL: 's3://bucket/quarry',
      QUARRY_S3_ENDPOINT: 'http://s3:9000',
      QUARRY_S3_ACCESS_KEY_ID: 'id',
      QUARRY_S3_SECRET_ACCESS_KEY: 'secret',
    };
    expect(readBlobConfig(s3).s3).toMatchObject({ credentials: { accessKeyId: 'id', secretAccessKey: 'secret' } });
    expect(() => readBlobConfig({ ...s3, QUARRY_S3_ACCESS_KEY_ID: '' })).toThrow(
      'found only QUARRY_S3_SECRET_ACCESS_KEY',
    );
    expect(() => readBlobConfig({ QUARRY_BLOB_URL: '/blobs' })).toThrow('must be an s3:// or file:/// address');
  });

  it('QDRANT_URL selects Qdrant for fragments, and further QDRANT_ variables set the layout of new collections', () => {
    const qdrant = { QDRANT_URL: 'http://qdrant:6333', QDRANT_SHARDS: '6', QDRANT_REPLICAS: '2' };
    expect(readFragmentsConfig({ ...qdrant, QDRANT_QUANTIZED: 'true' })).toMatchObject({
      layout: { shards: 6, tenantShards: false, replicas: 2, quantized: true },
    });
    expect(readFragmentsConfig({ ...qdrant, QDRANT_TENANT_SHARDS: 'true' })).toMatchObject({
      layout: { tenantShards: true },
    });
  });

  it('QUARRY_LANCEDB_DIR selects a folder for fragments, and QUARRY_LANCEDB_CACHE_MB sets the size of the index cache', () => {
    const lanceDb = { kind: 'lancedb', directory: '/data/fragments' };
    const folder = { QUARRY_LANCEDB_DIR: '/data/fragments' };
    expect(readFragmentsConfig(folder)).toEqual({ ...lanceDb, cacheBytes: undefined });
    const cached = { ...folder, QUARRY_LANCEDB_CACHE_MB: '256' };
    expect(readFragmentsConfig(cached)).toEqual({ ...lanceDb, cacheBytes: 268_435_456 });
  });
});
