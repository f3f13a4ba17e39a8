import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from './environment.js';
import { postgresAddress } from './postgres-address.js';
import { readQueueUrl } from './queue-variables.js';

const ADDRESS = 'postgres://quarry:p%3Fw@db.example:5432/quarry';

describe('postgresAddress', () => {
  it.each(['', '?sslmode=disable', '?sslmode=verify-full', '?sslmode=no-verify&application_name=x'])(
    'leaves an address that ends with "%s" as it is',
    (query) => {
      expect(postgresAddress('DATABASE_URL', ADDRESS + query)).toBe(ADDRESS + query);
    },
  );

  it('takes require for what checks the certificate, and leaves no warning about it to be made', () => {
    expect(postgresAddress('DATABASE_URL', `${ADDRESS}?sslmode=require&a=b`)).toBe(
      `${ADDRESS}?sslmode=verify-full&a=b`,
    );
  });

  it('says which modes there are when it is told of another, and keeps the password to itself', () => {
    expect(() => postgresAddress('DATABASE_URL', `${ADDRESS}?sslmode=prefer`)).toThrow(
      new ConfigurationError([
        'DATABASE_URL must have an sslmode of disable, no-verify, require, verify-full, found "prefer"',
      ]),
    );
  });

  it('says which file cannot be read, or is no certificate', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'quarry-')), 'ca.pem');
    writeFileSync(file, 'no certificate');
    expect(() => postgresAddress('DATABASE_URL', `${ADDRESS}?sslrootcert=${file}&sslkey=/none`)).toThrow(
      new ConfigurationError([
        `DATABASE_URL names the file ${file} (sslrootcert), which must be in PEM, with a line -----BEGIN …-----`,
        'DATABASE_URL names the file /none (sslkey), which cannot be read',
      ]),
    );
  });
});

describe('readQueueUrl', () => {
  it('checks an address of PostgreSQL, and leaves one of Redis as it is', () => {
    expect(readQueueUrl({ QUARRY_QUEUE_URL: 'rediss://r?sslmode=prefer' })).toBe('rediss://r?sslmode=prefer');
    expect(() => readQueueUrl({ QUARRY_QUEUE_URL: `${ADDRESS}?sslmode=prefer` })).toThrow(/QUARRY_QUEUE_URL .*sslmode/);
  });
});
