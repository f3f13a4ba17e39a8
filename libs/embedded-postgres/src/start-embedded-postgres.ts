import { join } from 'node:path';
import { locateBinaries } from './binaries.js';
import { clusterFolder, ensureCluster } from './cluster.js';
import { ensureDatabase, urlOf } from './connection.js';
import { takeLease, type Lease } from './leases.js';
import { keptPassword } from './password.js';
import { place, type Placement } from './placement.js';
import { readPostmaster } from './postmaster.js';
import { ensureServer, stopServer, type ServerSettings, type ServerStart } from './server.js';
import { supervise, type SupervisedServer } from './supervise.js';
import { findSystemUser } from './system-user.js';

const SUPERVISION = { checkMs: 500, minBackoffMs: 500, maxBackoffMs: 10_000 };
const RESTART_TIMEOUT_MS = 300_000;

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
  readonly log?: ServerLog;
  /** How long restarts of a server that died may fail, in milliseconds, before it is given up. 5 minutes when absent. */
  readonly restartTimeoutMs?: number;
}

/** Receives lines for people. */
export interface ServerLog {
  info(line: string): void;
  /** Receives what interrupts the service: the server died, a restart failed, the server runs again. */
  warn(line: string): void;
}

export interface EmbeddedPostgres {
  /** `postgres://…` of the database, with the superuser's password. */
  readonly url: string;
  /** Where the database is kept in fact. */
  readonly home: string;
  /** Resolves with the reason when the server died and could not be restarted in time; never settles otherwise. */
  readonly givenUp: Promise<Error>;
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
 * A server that dies is restarted at the same address, with exponential back-off, until `stop` is called.
 *
 * @throws with the reason and the end of the server's log when it cannot be started
 */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const placement = await place({
    directory: settings.directory,
    binaries: await locateBinaries(),
    systemUser: await findSystemUser(settings.systemUser),
    reachableFolder: settings.reachableFolder ?? '/var/lib/quarry',
    log: (line) => settings.log?.info(line),
  });
  const passwordFile = join(placement.home, 'password');
  const password = await keptPassword(passwordFile, placement.identity);
  await ensureCluster(placement, passwordFile);
  return open(placement, password, settings);
}

async function open(
  placement: Placement,
  password: string,
  { database = 'quarry', serverSettings = {}, log, restartTimeoutMs }: EmbeddedPostgresSettings,
): Promise<EmbeddedPostgres> {
  const lease = await takeLease(placement.home);
  const start = { password, settings: serverSettings };
  const release = async (): Promise<void> => {
    if (await lease.release()) await stopServer(placement);
  };
  try {
    const { port, wasRunning } = await ensureServer(placement, start);
    if (!wasRunning) await lease.dropOlder();
    log?.info(`PostgreSQL ${wasRunning ? 'was running' : 'runs'} at 127.0.0.1:${port} in ${placement.home}`);
    await openDatabase(placement, { port, password, database });
    const { promise: givenUp, resolve: onGivenUp } = Promise.withResolvers<Error>();
    const supervision = supervise(supervisedServer(placement, lease, { ...start, port }), {
      ...SUPERVISION,
      restartTimeoutMs: restartTimeoutMs ?? RESTART_TIMEOUT_MS,
      log: (line) => log?.warn(line),
      onGivenUp,
    });
    const stop = once(async () => {
      await supervision.stop();
      await release();
    });
    return { url: urlOf(port, password, database), home: placement.home, givenUp, stop };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

async function openDatabase(
  { home }: Placement,
  { port, password, database }: { readonly port: number; readonly password: string; readonly database: string },
): Promise<void> {
  await ensureDatabase(port, password, database).catch((error: unknown) => {
    throw new Error(
      `PostgreSQL in ${home} runs, but its database ${database} cannot be opened with the kept password: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  });
}

function supervisedServer(
  placement: Placement,
  lease: Lease,
  start: ServerStart & { readonly port: number },
): SupervisedServer {
  return {
    isRunning: async () => (await readPostmaster(clusterFolder(placement))).state === 'running',
    async restart() {
      const { port } = await ensureServer(placement, start);
      if (port !== start.port)
        throw new Error(`another process started it at port ${port}, expected port ${start.port}: stop that process`);
      await lease.renew();
    },
  };
}

/** A second call waits for the first one's end. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
