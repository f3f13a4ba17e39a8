import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { hasOpenssl, startTlsPostgres, type TlsPostgres } from '@quarry/embedded-postgres/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitUntilCheckPasses, createRecorder, silentLog, openTestQueue } from '@quarry/queue/testing';
import { openQueues } from './open-queues.js';
import { openTestQueues } from './testing/open-test-queues.js';

const reason = hasOpenssl() ? '' : ' (skipped: there is no openssl on PATH)';

describe.skipIf(reason !== '')(`a PostgreSQL server that requires TLS${reason}`, () => {
  const trusted = getCACertificates('default');
  let server: TlsPostgres;

  beforeAll(async () => {
    server = await startTlsPostgres();
  });
  afterEach(() => {
    setDefaultCACertificates(trusted);
  });
  afterAll(() => server.stop());

  async function expectJobToRun(url: string): Promise<void> {
    const queues = await openTestQueues(url);
    const recorded = createRecorder();
    const queue = openTestQueue(queues);
    const consumer = queue.startConsumer(recorded);
    await queue.addNote('a');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toEqual(['a']);
    });
    const { withTls, without } = await server.countConnections();
    expect([withTls > 1, without]).toEqual([true, 0]);
    await consumer.close(0);
    await queues.close(0);
  }

  it('jobs run if `sslrootcert` in the address names the authority that signed the certificate of the server', () =>
    expectJobToRun(`${server.url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(server.authority)}`));

  it('jobs run if this process trusts the authority that signed the certificate of the server', () => {
    setDefaultCACertificates([...trusted, readFileSync(server.authority, 'utf8')]);
    return expectJobToRun(`${server.url}?sslmode=verify-full`);
  });

  const buildAddress = (query: string): string => `${server.url}?${query}`;

  it.each([
    [
      'the sslrootcert of another authority',
      () => buildAddress(`sslrootcert=${server.otherAuthority}`),
      /unable to verify|certificate/,
    ],
    [
      'sslmode=verify-full but no sslrootcert',
      () => buildAddress('sslmode=verify-full'),
      /unable to verify|certificate/,
    ],
    ['no TLS', () => server.url, /no encryption/],
  ])('openQueues fails for an address with %s', async (_title, url, why) => {
    const refused = openQueues({ url: url(), log: silentLog, startTimeoutMs: 1_000 });
    await expect(refused).rejects.toThrow(/^the queue server at postgres:\/\/127\.0\.0\.1:\d+\/quarry did not respond/);
    await expect(refused).rejects.toThrow(why);
  });

  it('openQueues fails for an address whose host name is not in the certificate of the server', async () => {
    const url = buildAddress(`sslrootcert=${server.authority}`).replace('127.0.0.1', 'localhost');
    const refused = openQueues({ url, log: silentLog, startTimeoutMs: 1_000 });
    await expect(refused).rejects.toThrow(/localhost.* does not match certificate's altnames/);
  });
});
