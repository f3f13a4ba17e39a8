import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWithClient } from '../database-client.js';
import { startEmbeddedPostgres } from '../start-embedded-postgres.js';

export interface TestPostgres {
  /** URL of a database that is empty at the start. It has no parameters, so that clients use TCP. */
  readonly url: string;
  /** Path of the folder with the data of the server. */
  readonly home: string;
  /** Creates an empty database on the server. @returns its URL */
  createDatabase(): Promise<string>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server for tests in a temporary folder. The server does not sync to disk, because its data is
 * deleted.
 *
 * @param settings override settings of PostgreSQL. With `synchronous_commit: 'on'`, commits survive if the server is
 * killed.
 */
export async function startTestPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-postgres-'));
  const server = await startEmbeddedPostgres({
    directory,
    serverSettings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...settings },
  });
  return {
    url: removeUrlParameters(server.url),
    home: server.home,
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await runWithClient(server.url, (client) => client.query(`CREATE DATABASE ${name}`));
      return new URL(`/${name}`, server.url).href;
    },
    async stop() {
      await server.stop();
      await rm(server.home, { recursive: true, force: true });
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function removeUrlParameters(url: string): string {
  const without = new URL(url);
  without.search = '';
  return without.href;
}
