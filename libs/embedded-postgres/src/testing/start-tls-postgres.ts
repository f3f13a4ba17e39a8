import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runWithClient } from '../database-client.js';
import { createCertificate, createAuthority } from './certificate-authority.js';
import { startTestPostgres } from './start-test-postgres.js';

export interface TlsPostgres {
  /**
   * URL of an empty database. The server rejects connections to this URL, because it has no TLS parameters. The host is
   * 127.0.0.1, as in the certificate of the server.
   */
  readonly url: string;
  /** Path of the certificate of the authority that signed the server's certificate. */
  readonly authority: string;
  /** Path of the certificate of an authority that did not sign the server's certificate. */
  readonly otherAuthority: string;
  /** Counts the connections of authenticated clients with and without TLS, except the connection of this call. */
  countConnections(): Promise<{ readonly withTls: number; readonly without: number }>;
  stop(): Promise<void>;
}

const ATTEMPTS = 100;
const RETRY_MS = 100;

/** Starts a PostgreSQL server for tests that accepts only TLS connections. Needs `openssl` on the PATH. */
export async function startTlsPostgres(): Promise<TlsPostgres> {
  const server = await startTestPostgres();
  const cluster = join(server.home, 'cluster');
  const owner = await stat(cluster);
  const folder = join(server.home, 'tls');
  await mkdir(folder);
  const authority = createAuthority(folder, 'authority');
  const other = createAuthority(folder, 'other-authority');
  const { certificate, key } = createCertificate(folder, authority);
  for (const path of [folder, certificate, key]) await chown(path, owner.uid, owner.gid);
  await runWithClient(server.url, async (client) => {
    for (const [name, value] of Object.entries({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key })) {
      await client.query(`ALTER SYSTEM SET ${name} = ${client.escapeLiteral(value)}`);
    }
    const rules = join(cluster, 'pg_hba.conf');
    await writeFile(rules, (await readFile(rules, 'utf8')).replace(/^host /gm, 'hostssl '));
    await client.query('SELECT pg_reload_conf()');
  });
  const unchecked = `${server.url}?sslmode=no-verify`;
  await waitForSettingsReload(unchecked);
  return {
    url: server.url,
    authority: authority.certificate,
    otherAuthority: other.certificate,
    countConnections: () => countConnections(unchecked),
    stop: () => server.stop(),
  };
}

/** Waits until the server accepts TLS connections, because the server reloads its settings asynchronously. */
async function waitForSettingsReload(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runWithClient(url, (client) => client.query('SELECT 1'));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(RETRY_MS);
    }
  }
}

/**
 * Counts the connections of authenticated clients with and without TLS. Excludes connections in the state `starting`,
 * because PostgreSQL 18 shows each connection as one without TLS until its client is authenticated.
 */
async function countConnections(url: string): Promise<{ readonly withTls: number; readonly without: number }> {
  const { rows } = await runWithClient(url, (client) =>
    client.query<{ readonly ssl: boolean }>(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state IS DISTINCT FROM 'starting'`,
    ),
  );
  return { withTls: rows.filter(({ ssl }) => ssl).length, without: rows.filter(({ ssl }) => !ssl).length };
}
