import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWithClient } from '../database-client.js';
import { hasOpenssl } from './certificate-authority.js';
import { startTlsPostgres, type TlsPostgres } from './start-tls-postgres.js';

const reason = hasOpenssl() ? '' : ' (skipped: there is no openssl on PATH)';
/** Number of calls of `countConnections`. It is so large that a client is being authenticated during some calls. */
const COUNTS = 50;

describe.skipIf(reason !== '')(`the test server with TLS${reason}`, () => {
  let server: TlsPostgres;
  beforeAll(async () => {
    server = await startTlsPostgres();
  });
  afterAll(() => server.stop());

  it('while a TLS client is being authenticated, countConnections does not count it as a client without TLS', async () => {
    const url = `${server.url}?sslmode=no-verify`;
    const stopping = new AbortController();
    const connectRepeatedly = async (): Promise<void> => {
      while (!stopping.signal.aborted) await runWithClient(url, (client) => client.query('SELECT 1'));
    };
    const clients = [connectRepeatedly(), connectRepeatedly(), connectRepeatedly()];
    const counts: number[] = [];
    while (counts.length < COUNTS) counts.push((await server.countConnections()).without);
    stopping.abort();
    await Promise.all(clients);
    expect(counts).toEqual(Array.from({ length: COUNTS }, () => 0));
  });
});
