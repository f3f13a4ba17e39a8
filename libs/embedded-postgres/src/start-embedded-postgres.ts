import { join } from 'node:path';
import { locateBinaries } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { ensureDatabase, urlOf } from './connection.js';
import { takeLease } from './leases.js';
import { keptPassword } from './password.js';
import { place, type Placement } from './placement.js';
import { ensureServer, stopServer, type ServerSettings } from './server.js';
import { findSystemUser } from './system-user.js';

export interface EmbeddedPostgresSettings {
  /** Where the database is kept; made when it is not there. As root it may have to be elsewhere: `log` says so. */
  readonly directory: string;
  /** Made when it is not there. `quarry` when absent. */
  readonly database?: string;
  /** As root: the account that runs PostgreSQL, which refuses root. `postgres` when absent, else `nobody`. */
  readonly systemUser?: string;
  /** As root: where to put what that account cannot reach elsewhere. `/var/lib/quarry` when absent. */
  readonly reachableFolder?: string;
  /** PostgreSQL's own settings, over ours. A server that runs already keeps those it has. */
  readonly serverSettings?: ServerSettings;
  readonly log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** `postgres://…` of the database, with the superuser's password. */
  readonly url: string;
  /** Where the database is kept in fact. */
  readonly home: string;
  /**
   * Ends the use of the server, and the server when nobody else uses it. Takes a minute at most.
   *
   * @throws when the server still runs then
   */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server of a directory, with the programs that npm installed. It listens on 127.0.0.1 at a free port.
 *
 * The server is a daemon: Ctrl-C does not reach it, and it outlives a process that is killed. A later start on the same
 * directory finds it and goes on with it, or recovers what a killed server left. Several starts on one directory share the
 * server, also at the same time and in several processes; the last to stop ends it.
 *
 * @throws with the reason and the end of the server's log when it cannot be started
 */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const placement = await place({
    directory: settings.directory,
    binaries: await locateBinaries(),
    systemUser: await findSystemUser(settings.systemUser),
    reachableFolder: settings.reachableFolder ?? '/var/lib/quarry',
    log: settings.log ?? (() => undefined),
  });
  const passwordFile = join(placement.home, 'password');
  const password = await keptPassword(passwordFile, placement.identity);
  await ensureCluster(placement, passwordFile);
  return open(placement, password, settings);
}

async function open(
  placement: Placement,
  password: string,
  { database = 'quarry', serverSettings = {}, log }: EmbeddedPostgresSettings,
): Promise<EmbeddedPostgres> {
  const lease = await takeLease(placement.home);
  const release = async (): Promise<void> => {
    if (await lease.release()) await stopServer(placement);
  };
  try {
    const { port, wasRunning } = await ensureServer(placement, password, serverSettings);
    if (!wasRunning) await lease.dropOlder();
    log?.(`PostgreSQL ${wasRunning ? 'was running' : 'runs'} at 127.0.0.1:${port} in ${placement.home}`);
    await ensureDatabase(port, password, database).catch((error: unknown) => {
      throw new Error(
        `PostgreSQL in ${placement.home} runs, but its database ${database} cannot be opened with the kept password: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    });
    return { url: urlOf(port, password, database), home: placement.home, stop: once(release) };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

/** A second call waits for the first one's end. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
