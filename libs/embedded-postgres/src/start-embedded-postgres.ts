import { join } from 'node:path';
import { findInstalledBinaries } from './binaries.js';
import { getClusterFolder, createClusterIfMissing } from './cluster.js';
import { createDatabaseIfMissing, buildDatabaseUrl } from './database-client.js';
import { acquireLease, type Lease } from './leases.js';
import { readOrCreatePassword } from './password.js';
import { determinePlacement, type ServerPlacement } from './placement.js';
import { readPostmasterState } from './postmaster.js';
import { findOrStartServer, stopServer, type ServerSettings, type ServerStartOptions } from './cluster-server.js';
import { findSocketFolder } from './socket-folder.js';
import { superviseServer, type SupervisedServer } from './supervise.js';
import { findUnprivilegedAccount } from './system-user.js';

const SUPERVISION = { checkMs: 500, minBackoffMs: 500, maxBackoffMs: 10_000 };
const RESTART_TIMEOUT_MS = 300_000;

export interface EmbeddedPostgresSettings {
  /**
   * Path of the database folder, which is created if it does not exist. If this process is root, the database may be in
   * another folder, whose path is logged.
   */
  readonly directory: string;
  /** Name of the database, which is created if it does not exist. Default: `quarry`. */
  readonly database?: string;
  /**
   * Account that runs PostgreSQL if this process is root, because PostgreSQL does not run as root. Default: `postgres`
   * if it exists, otherwise `nobody`.
   */
  readonly systemUser?: string;
  /**
   * Folder for the database and the programs, used if this process is root and the system user cannot access the
   * requested folders. Default: `/var/lib/quarry`.
   */
  readonly reachableFolder?: string;
  /** Settings that override the default settings of PostgreSQL. Without effect on a server that is running already. */
  readonly serverSettings?: ServerSettings;
  readonly log?: ServerLog;
  /** Maximum time for which restarts of a crashed server may fail, in milliseconds. Default: 5 minutes. */
  readonly restartTimeoutMs?: number;
  /**
   * Called at each attempt to start the server, as soon as pg_ctl runs. Not called if the server was running already.
   */
  readonly onStarting?: () => void;
}

/** Receives messages for users about the server. */
export interface ServerLog {
  info(line: string): void;
  /**
   * Receives a message after a crash of the server, after each failed restart, and when the server is running again.
   */
  warn(line: string): void;
}

export interface EmbeddedPostgres {
  /** URL of the database (`postgres://…`), with the password of the superuser. */
  readonly url: string;
  /** Path of the folder that contains the database. It may differ from `directory` if this process is root. */
  readonly home: string;
  /**
   * Resolves with the reason if a crashed server could not be restarted within `restartTimeoutMs`. Otherwise it never
   * settles.
   */
  readonly givenUp: Promise<Error>;
  /**
   * Ends the supervision of the server. If no other process uses the server, stops it within about a minute.
   *
   * @throws Error if the server is still running afterwards
   */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server of a directory, with the programs that npm installed. The server listens on 127.0.0.1 at
 * a free port, and at a Unix socket in its folder. The returned URL contains the port, and the folder
 * of the socket if there is a socket.
 *
 * The server is a daemon: Ctrl-C does not reach it, and it outlives a killed process. A later start on the same
 * directory uses the running server or recovers its data. Concurrent starts on one directory share the server, even in
 * several processes; the last process stops it.
 *
 * A crashed server is restarted at the same address, with exponential backoff, until `stop` is called.
 *
 * @throws Error with the reason and the end of the server log if the server cannot be started
 */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const placement = await determinePlacement({
    directory: settings.directory,
    binaries: await findInstalledBinaries(),
    systemUser: await findUnprivilegedAccount(settings.systemUser),
    reachableFolder: settings.reachableFolder ?? '/var/lib/quarry',
    log: (line) => settings.log?.info(line),
  });
  const passwordFile = join(placement.home, 'password');
  const password = await readOrCreatePassword(passwordFile, placement.identity);
  await createClusterIfMissing(placement, passwordFile);
  return startSupervisedServer(placement, password, settings);
}

async function startSupervisedServer(
  placement: ServerPlacement,
  password: string,
  { database = 'quarry', serverSettings = {}, log, restartTimeoutMs, onStarting }: EmbeddedPostgresSettings,
): Promise<EmbeddedPostgres> {
  const lease = await acquireLease(placement.home);
  const start = { password, settings: serverSettings };
  const releaseServer = async (): Promise<void> => {
    if (await lease.release()) await stopServer(placement);
  };
  try {
    const { port, wasRunning } = await findOrStartServer(placement, { ...start, onStarting });
    // If another process has started the server, that process may have removed this lease as one of the older leases.
    await (wasRunning ? lease.renew() : lease.removeOlderLeases());
    log?.info(`PostgreSQL ${wasRunning ? 'was running' : 'runs'} at 127.0.0.1:${port} in ${placement.home}`);
    await requireAccessibleDatabase(placement, { port, password, database });
    const { promise: givenUp, resolve: onGivenUp } = Promise.withResolvers<Error>();
    const supervision = superviseServer(createSupervisedServer(placement, lease, { ...start, port }), {
      ...SUPERVISION,
      restartTimeoutMs: restartTimeoutMs ?? RESTART_TIMEOUT_MS,
      log: (line) => log?.warn(line),
      onGivenUp,
    });
    const stop = runOnlyOnce(async () => {
      await supervision.stop();
      await releaseServer();
    });
    const url = buildDatabaseUrl(port, password, database, await findSocketFolder(placement.home, port));
    return { url, home: placement.home, givenUp, stop };
  } catch (error) {
    await releaseServer().catch(() => undefined);
    throw error;
  }
}

async function requireAccessibleDatabase(
  { home }: ServerPlacement,
  { port, password, database }: { readonly port: number; readonly password: string; readonly database: string },
): Promise<void> {
  await createDatabaseIfMissing(port, password, database).catch((error: unknown) => {
    throw new Error(
      `PostgreSQL in ${home} runs, but its database ${database} cannot be opened with the stored password: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  });
}

function createSupervisedServer(
  placement: ServerPlacement,
  lease: Lease,
  start: ServerStartOptions & { readonly port: number },
): SupervisedServer {
  return {
    isRunning: async () => (await readPostmasterState(getClusterFolder(placement))).state === 'running',
    async restart() {
      const { port } = await findOrStartServer(placement, start);
      if (port !== start.port)
        throw new Error(
          `expected PostgreSQL at port ${start.port}, found that another process started it at port ${port}: stop that process`,
        );
      await lease.renew();
    },
  };
}

/** Returns a function that calls `run` only once. Further calls return the same promise. */
function runOnlyOnce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
