import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../connection.js';
import { startEmbeddedPostgres } from '../start-embedded-postgres.js';

export interface TestPostgres {
  /** A database that is empty at first. */
  readonly url: string;
  /** Where the server keeps what it has. */
  readonly home: string;
  /** @returns the address of a new empty database of the same server */
  createDatabase(): Promise<string>;
  /** Stops the server and removes everything it kept. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server for tests in a folder of its own. It does not wait for the disk, because its data is thrown away.
 *
 * @param settings of the server, in place of these; `synchronous_commit: 'on'` keeps commits when the server is killed
 */
export async function startTestPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-postgres-'));
  const server = await startEmbeddedPostgres({
    directory,
    serverSettings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...settings },
  });
  return {
    url: server.url,
    home: server.home,
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await withClient(server.url, (client) => client.query(`CREATE DATABASE ${name}`));
      return new URL(`/${name}`, server.url).href;
    },
    async stop() {
      await server.stop();
      await rm(server.home, { recursive: true, force: true });
      await rm(directory, { recursive: true, force: true });
    },
  };
}
