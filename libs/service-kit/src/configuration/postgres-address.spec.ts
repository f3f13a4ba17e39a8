import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from './configuration-error.js';
import { parsePostgresAddress } from './postgres-address.js';
import { readQueueUrl } from './queue-variables.js';

const ADDRESS = 'postgres://quarry:p%3Fw@db.example:5432/quarry';

describe('parsePostgresAddress', () => {
  it.each(['', '?sslmode=disable', '?sslmode=verify-full', '?sslmode=no-verify&application_name=x'])(
    'parsePostgresAddress returns an address that ends with "%s" unchanged',
    (query) => {
      expect(parsePostgresAddress('DATABASE_URL', ADDRESS + query)).toBe(ADDRESS + query);
    },
  );

  it('parsePostgresAddress replaces sslmode=require by verify-full, so that pg checks the certificate and logs no warning', () => {
    expect(parsePostgresAddress('DATABASE_URL', `${ADDRESS}?sslmode=require&a=b`)).toBe(
      `${ADDRESS}?sslmode=verify-full&a=b`,
    );
  });

  it('parsePostgresAddress rejects an unknown sslmode with an error that lists the modes but not the password', () => {
    expect(() => parsePostgresAddress('DATABASE_URL', `${ADDRESS}?sslmode=prefer`)).toThrow(
      new ConfigurationError([
        'DATABASE_URL must have an sslmode of disable, no-verify, require, verify-full, found "prefer"',
      ]),
    );
  });

  it('parsePostgresAddress rejects a certificate or key file that is unreadable or not in PEM, with an error that names the file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'quarry-')), 'ca.pem');
    writeFileSync(file, 'no certificate');
    expect(() => parsePostgresAddress('DATABASE_URL', `${ADDRESS}?sslrootcert=${file}&sslkey=/none`)).toThrow(
      new ConfigurationError([
        `DATABASE_URL names the file ${file} (sslrootcert), which must be in PEM, with a line -----BEGIN …-----`,
        'DATABASE_URL names the file /none (sslkey), which cannot be read',
      ]),
    );
  });
});

describe('readQueueUrl', () => {
  it('readQueueUrl validates an address of PostgreSQL, and returns an address of Redis unchanged', () => {
    expect(readQueueUrl({ QUARRY_QUEUE_URL: 'rediss://r?sslmode=prefer' })).toBe('rediss://r?sslmode=prefer');
    expect(() => readQueueUrl({ QUARRY_QUEUE_URL: `${ADDRESS}?sslmode=prefer` })).toThrow(/QUARRY_QUEUE_URL .*sslmode/);
  });
});
