import { rm } from 'node:fs/promises';
import { createClient } from '@quarry/client';
import { hasOpenssl, startTlsPostgres, type TlsPostgres } from '@quarry/embedded-postgres/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder } from './quarry/data-folder.js';
import { ROOT_KEY, startQuarry, startQuarryExpectingExit } from './quarry/quarry-process.js';
import { createTextFile } from './quarry/text-file.js';

const reason = hasOpenssl() ? '' : ' (skipped: there is no openssl on PATH)';

describe.skipIf(reason !== '')(`Quarry on a PostgreSQL that requires TLS${reason}`, () => {
  let server: TlsPostgres;
  let dataDirectory: string;
  beforeAll(async () => {
    [server, dataDirectory] = await Promise.all([startTlsPostgres(), createDataFolder()]);
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  const buildDatabaseUrl = (query: string): { readonly DATABASE_URL: string } => ({
    DATABASE_URL: `${server.url}?${query}`,
  });

  it.each([
    [
      'NODE_EXTRA_CA_CERTS',
      'require',
      () => ({ NODE_EXTRA_CA_CERTS: server.authority, ...buildDatabaseUrl('sslmode=require') }),
    ],
    ['DATABASE_URL', 'verify-full', () => buildDatabaseUrl(`sslmode=verify-full&sslrootcert=${server.authority}`)],
  ])(
    'Quarry connects to PostgreSQL over TLS when %s contains the path of the CA certificate and `sslmode` is %s',
    async (_where, _mode, variables) => {
      const quarry = await startQuarry(dataDirectory, variables());
      const client = createClient({ baseUrl: quarry.baseUrl, apiKey: ROOT_KEY });
      const { id: datastoreId } = await client.createDatastore({ name: 'Stones' });
      const { id } = await client.uploadFile(datastoreId, createTextFile('marble.txt', 'Marble is hard.'));
      expect(await client.untilSettled(id)).toMatchObject({ status: 'synched' });
      const { withTls, without } = await server.countConnections();
      expect([withTls > 5, without]).toEqual([true, 0]);
      expect(await quarry.stop()).toBe(0);
      expect(quarry.output()).not.toContain('SECURITY WARNING');
    },
  );

  it('Quarry does not start if the CA in `sslrootcert` did not sign the certificate of PostgreSQL, and reports the problem in one line', async () => {
    const wrong = buildDatabaseUrl(`sslmode=verify-full&sslrootcert=${server.otherAuthority}`);
    const { code, output } = await startQuarryExpectingExit(dataDirectory, wrong);
    expect(code).toBe(1);
    expect(output).toMatch(
      /could not start\. the database quarry at 127\.0\.0\.1:\d+ could not be opened: .*certificate.*\. Expected a certificate for the host .*sslrootcert\.\n$/,
    );
  });

  it('Quarry does not start if the file in `sslrootcert` does not exist, and reports the path of the file', async () => {
    const { code, output } = await startQuarryExpectingExit(
      dataDirectory,
      buildDatabaseUrl('sslrootcert=/nowhere/ca.pem'),
    );
    expect(code).toBe(1);
    expect(output).toContain('DATABASE_URL names the file /nowhere/ca.pem (sslrootcert), which cannot be read');
  });
});
