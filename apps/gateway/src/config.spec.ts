import { ConfigurationError } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.js';
import { DEFAULT_LIMITS } from './limits.js';
import { readSettings } from './settings.js';

const REQUIRED = {
  DATABASE_URL: 'postgres://quarry@db/quarry',
  QUARRY_QUEUE_URL: 'redis://queue:6379',
  QUARRY_BLOB_URL: 'file:///blobs',
  QUARRY_QUERY_URL: 'http://query:3001',
  QUARRY_INTERNAL_TOKEN: 't0ken',
  QUARRY_SEALING_KEY: 'a'.repeat(64),
};

describe('the configuration of a gateway', () => {
  it('readConfig needs only the addresses of the dependencies, the internal token and the encryption key, and has defaults for all other settings', () => {
    expect(readConfig(REQUIRED)).toMatchObject({
      port: 3000,
      database: { url: REQUIRED.DATABASE_URL, connections: 10 },
      queryService: { url: REQUIRED.QUARRY_QUERY_URL, token: 't0ken' },
      rootKey: undefined,
      settings: {
        limits: DEFAULT_LIMITS,
        requestsPerMinute: 600,
        lostAfterMs: 900_000,
        resumeGraceMs: 30_000,
        watchMs: 60_000,
        embedding: undefined,
      },
    });
  });

  it('readConfig reports all problems of an invalid configuration in one error', () => {
    const invalid = { ...REQUIRED, DATABASE_URL: 'mysql://x', QUARRY_QUEUE_URL: undefined, QUARRY_PORT: 'http' };
    expect(() => readConfig(invalid)).toThrow(
      /QUARRY_PORT [^]*DATABASE_URL must be a postgres:\/\/[^]*QUARRY_QUEUE_URL/,
    );
  });

  it.each(['geheim7', 'with a space', 'ключ-кодом', 'x'.repeat(201)])('readConfig rejects the root key %j', (key) => {
    expect(() => readConfig({ ...REQUIRED, QUARRY_ROOT_KEY: key })).toThrow(
      /QUARRY_ROOT_KEY must have 8 to 200 printable characters and no spaces/,
    );
  });

  it.each(['QUARRY_CRAWLER_ALLOW_LOOPBACK', 'QUARRY_CATALOG_ALLOW_LOOPBACK', 'QUARRY_WEBHOOKS_ALLOW_LOOPBACK'])(
    'readSettings rejects %s=true if NODE_ENV is production',
    (variable) => {
      const allowed = { [variable]: 'true' };
      expect(Object.values(readSettings({ ...allowed, NODE_ENV: 'test' }).allowLoopback)).toContain(true);
      expect(() => readSettings({ ...allowed, NODE_ENV: 'production' })).toThrow(`${variable} must not be true`);
    },
  );

  it('readSettings removes a trailing slash from QUARRY_PUBLIC_URL, and rejects an invalid URL', () => {
    const readPublicUrl = (value: string): string | undefined =>
      readSettings({ ...REQUIRED, QUARRY_PUBLIC_URL: value }).publicUrl;
    expect(readPublicUrl('https://kb.example.com/quarry/')).toBe('https://kb.example.com/quarry');
    expect(readPublicUrl('http://localhost:3000')).toBe('http://localhost:3000');
    expect(readPublicUrl('')).toBeUndefined();
    for (const invalid of ['kb.example.com', 'ftp://kb.example.com', 'https://a:b@kb.example.com', 'https://a.com/?b'])
      expect(() => readPublicUrl(invalid)).toThrow('QUARRY_PUBLIC_URL');
  });

  it('readSettings reads the limits and the embedding settings of new datastores, and rejects incomplete embedding settings', () => {
    const settings = readSettings({
      QUARRY_MAX_FILE_BYTES: '5000',
      QUARRY_RATE_LIMIT: '0',
      QUARRY_RUN_LOST_AFTER_MINUTES: '1',
      QUARRY_WATCH_SECONDS: '5',
      QUARRY_EMBEDDING_MODEL: 'text-embedding-3-small',
      QUARRY_EMBEDDING_DIMENSIONS: '1536',
    });
    expect(settings.limits).toEqual({ ...DEFAULT_LIMITS, fileBytes: 5_000 });
    expect(settings.requestsPerMinute).toBe(0);
    expect([settings.lostAfterMs, settings.watchMs]).toEqual([60_000, 5_000]);
    expect(settings.embedding).toEqual({ model: 'text-embedding-3-small', dimensions: 1536, distance: 'cosine' });
    expect(() => readSettings({ QUARRY_EMBEDDING_MODEL: 'm' })).toThrow(ConfigurationError);
  });
});
