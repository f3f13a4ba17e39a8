import { VERSION } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { readConfig, readCrawlSettings } from './config.js';

const REQUIRED = {
  QUARRY_QUEUE_URL: 'redis://127.0.0.1:6379',
  QUARRY_BLOB_URL: 'file:///var/lib/quarry/blobs',
  QUARRY_GATEWAY_URL: 'http://gateway',
  QUARRY_INTERNAL_TOKEN: 'secret',
};

describe('readConfig', () => {
  it('readConfig reports all missing environment variables in one error', () => {
    expect(() => readConfig({})).toThrow(
      /QUARRY_QUEUE_URL.*\n.*QUARRY_BLOB_URL.*\n.*QUARRY_GATEWAY_URL.*\n.*QUARRY_INTERNAL_TOKEN/,
    );
    expect(readConfig(REQUIRED)).toMatchObject({ port: 3003, queueUrl: 'redis://127.0.0.1:6379' });
  });

  it('readCrawlSettings appends the contact of the operator to the user agent', () => {
    expect(readCrawlSettings({}).userAgent).toBe(`QuarryBot/${VERSION}`);
    expect(readCrawlSettings({ QUARRY_CRAWLER_CONTACT: 'https://example.com/bot' }).userAgent).toBe(
      `QuarryBot/${VERSION} (+https://example.com/bot)`,
    );
  });

  it('readCrawlSettings rejects QUARRY_CRAWLER_ALLOW_LOOPBACK=true if NODE_ENV is production', () => {
    const allowed = { QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true' };
    expect(readCrawlSettings(allowed).allowLoopback).toBe(true);
    expect(readCrawlSettings({}).allowLoopback).toBe(false);
    expect(() => readCrawlSettings({ ...allowed, NODE_ENV: 'production' })).toThrow(/QUARRY_CRAWLER_ALLOW_LOOPBACK/);
  });

  it.each([
    ['QUARRY_CRAWLER_DELAY_MS', '-1'],
    ['QUARRY_CRAWLER_MAX_PAGES', '1000000'],
    ['QUARRY_CRAWLER_CONTACT', 'two words'],
  ])('readCrawlSettings rejects %s=%s', (name, value) => {
    expect(() => readCrawlSettings({ [name]: value })).toThrow(name);
  });
});
