import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from './environment.js';
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

  it('parsePostgresAddress replaces sslmode require by one that checks the certificate, without a warning of pg', () => {
    expect(parsePostgresAddress('DATABASE_URL', `${ADDRESS}?sslmode=require&a=b`)).toBe(
      `${ADDRESS}?sslmode=verify-full&a=b`,
    );
  });

  it('parsePostgresAddress lists the modes when the mode is unknown, without the password', () => {
    expect(() => parsePostgresAddress('DATABASE_URL', `${ADDRESS}?sslmode=prefer`)).toThrow(
      new ConfigurationError([
        'DATABASE_URL must have an sslmode of disable, no-verify, require, verify-full, found "prefer"',
      ]),
    );
  });

  it('parsePostgresAddress names the file that cannot be read or is not a certificate', () => {
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
  it('readQueueUrl checks an address of PostgreSQL, and returns one of Redis unchanged', () => {
    expect(readQueueUrl({ QUARRY_QUEUE_URL: 'rediss://r?sslmode=prefer' })).toBe('rediss://r?sslmode=prefer');
    expect(() => readQueueUrl({ QUARRY_QUEUE_URL: `${ADDRESS}?sslmode=prefer` })).toThrow(/QUARRY_QUEUE_URL .*sslmode/);
  });
});
