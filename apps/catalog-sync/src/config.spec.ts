import { ConfigurationError } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { readCatalogSettings, readConfig } from './config.js';

const key = Buffer.alloc(32, 7).toString('base64');
const complete = {
  QUARRY_QUEUE_URL: 'redis://queue',
  QUARRY_BLOB_URL: 'file:///blobs',
  QUARRY_SEALING_KEY: key,
  QUARRY_GATEWAY_URL: 'http://gateway:3000',
  QUARRY_INTERNAL_TOKEN: 'token',
};

describe('readConfig', () => {
  it('readConfig requires the settings of the queue, the blob store, the encryption keys and the gateway, and has defaults for all other settings', () => {
    expect(readConfig(complete)).toMatchObject({
      port: 3004,
      gateway: { url: 'http://gateway:3000', token: 'token' },
      catalog: { concurrency: 4, allowLoopback: false },
    });
    expect(() => readConfig({})).toThrow(
      /QUARRY_QUEUE_URL[^]*QUARRY_BLOB_URL[^]*QUARRY_SEALING_KEY[^]*QUARRY_GATEWAY_URL[^]*QUARRY_INTERNAL_TOKEN/,
    );
  });

  it('readConfig accepts several encryption keys in QUARRY_SEALING_KEY, and rejects an invalid key', () => {
    expect(readConfig({ ...complete, QUARRY_SEALING_KEY: `${key}, ${key}` }).encryptionKeys).toHaveLength(2);
    expect(() => readConfig({ ...complete, QUARRY_SEALING_KEY: 'short' })).toThrow(ConfigurationError);
  });

  it('readCatalogSettings rejects QUARRY_CATALOG_ALLOW_LOOPBACK=true if NODE_ENV is production', () => {
    const open = { QUARRY_CATALOG_ALLOW_LOOPBACK: 'true' };
    expect(readCatalogSettings(open).allowLoopback).toBe(true);
    expect(() => readCatalogSettings({ ...open, NODE_ENV: 'production' })).toThrow(/must not be true/);
  });

  it('readCatalogSettings appends the contact address to the user agent', () => {
    expect(readCatalogSettings({ QUARRY_CATALOG_CONTACT: 'https://shop.example/bot' }).userAgent).toMatch(
      /^QuarryCatalog\/\S+ \(\+https:\/\/shop\.example\/bot\)$/,
    );
  });
});
