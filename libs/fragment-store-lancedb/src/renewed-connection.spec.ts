import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection } from '@lancedb/lancedb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RenewedConnection } from './renewed-connection.js';

describe('RenewedConnection', () => {
  it('getConnection() connects again after a failed attempt, and concurrent calls connect only once', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const attempts: (() => Promise<Connection>)[] = [
      () => Promise.reject(new Error('too many open files')),
      () => connect(directory),
      () => Promise.reject(new Error('expected two attempts to connect, found a third one')),
    ];
    const renewed = new RenewedConnection(
      () => attempts.shift()?.() ?? Promise.reject(new Error('expected at most three attempts to connect, found more')),
    );
    const failed = await Promise.allSettled([renewed.getConnection(), renewed.getConnection()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const [one, other] = await Promise.all([renewed.getConnection(), renewed.getConnection()]);
    expect(one).toBe(other);
    expect(attempts).toHaveLength(1);
    await renewed.close();
  });
});
