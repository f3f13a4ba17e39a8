import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../connection.js';
import { certify, makeAuthority } from './certificates.js';
import { startTestPostgres } from './start-test-postgres.js';

export interface TlsPostgres {
  /** Of an empty database, without a word about TLS, and refused as it is. Its host is 127.0.0.1, which the certificate names. */
  readonly url: string;
  /** A file with the authority that signed the server's certificate. */
  readonly authority: string;
  /** A file with one that did not. */
  readonly otherAuthority: string;
  /** How many of the server's connections have TLS, and how many have not; this one's is not counted. */
  connections(): Promise<{ readonly withTls: number; readonly without: number }>;
  stop(): Promise<void>;
}

const ATTEMPTS = 100;
const RETRY_MS = 100;

/** A PostgreSQL server for tests that takes connections with TLS alone. Needs `openssl` on the PATH. */
export async function startTlsPostgres(): Promise<TlsPostgres> {
  const server = await startTestPostgres();
  const cluster = join(server.home, 'cluster');
  const owner = await stat(cluster);
  const folder = join(server.home, 'tls');
  await mkdir(folder);
  const authority = makeAuthority(folder, 'authority');
  const other = makeAuthority(folder, 'other-authority');
  const { certificate, key } = certify(folder, authority);
  for (const path of [folder, certificate, key]) await chown(path, owner.uid, owner.gid);
  await withClient(server.url, async (client) => {
    for (const [name, value] of Object.entries({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key })) {
      await client.query(`ALTER SYSTEM SET ${name} = ${client.escapeLiteral(value)}`);
    }
    const rules = join(cluster, 'pg_hba.conf');
    await writeFile(rules, (await readFile(rules, 'utf8')).replace(/^host /gm, 'hostssl '));
    await client.query('SELECT pg_reload_conf()');
  });
  const unchecked = `${server.url}?sslmode=no-verify`;
  await reloaded(unchecked);
  return {
    url: server.url,
    authority: authority.certificate,
    otherAuthority: other.certificate,
    connections: () => connectionsOf(unchecked),
    stop: () => server.stop(),
  };
}

/** The server reads its settings again when it comes to it. */
async function reloaded(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(RETRY_MS);
    }
  }
}

async function connectionsOf(url: string): Promise<{ readonly withTls: number; readonly without: number }> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ readonly ssl: boolean }>(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    ),
  );
  return { withTls: rows.filter(({ ssl }) => ssl).length, without: rows.filter(({ ssl }) => !ssl).length };
}
