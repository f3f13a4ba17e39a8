import { hasOpenssl, startTlsPostgres, type TlsPostgres } from '@quarry/embedded-postgres/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './database.js';
import { migrateDatabase } from './migrate.js';

const reason = hasOpenssl() ? '' : ' (skipped: there is no openssl on PATH)';

describe.skipIf(reason !== '')(`a database that requires TLS${reason}`, () => {
  let server: TlsPostgres;
  beforeAll(async () => {
    server = await startTlsPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  const buildAddress = (query: string): string => `${server.url}?${query}`;

  it('all connections use TLS if `sslrootcert` in the address of the database is the certificate authority of the server', async () => {
    const url = buildAddress(`sslmode=verify-full&sslrootcert=${encodeURIComponent(server.authority)}`);
    await migrateDatabase(url);
    const database = openDatabase({ url, connections: 3, onConnectionLost: () => undefined });
    await Promise.all([database.ping(), database.ping(), database.ping()]);
    expect(await server.countConnections()).toEqual({ withTls: 3, without: 0 });
    await database.close();
  });

  it.each([
    [
      'a certificate authority that did not sign the certificate',
      () => buildAddress(`sslmode=verify-full&sslrootcert=${server.otherAuthority}`),
      /certificate/,
    ],
    ['no certificate authority', () => buildAddress('sslmode=verify-full'), /certificate/],
    ['no TLS parameters', () => server.url, /no encryption/],
  ])(
    'if a database requires TLS and its address contains %s, migrateDatabase rejects with an error that contains the host and the reason',
    async (_title, url, why) => {
      const refused = migrateDatabase(url());
      await expect(refused).rejects.toThrow(/^the database quarry at 127\.0\.0\.1:\d+ could not be opened: /);
      await expect(refused).rejects.toThrow(why);
    },
  );
});
