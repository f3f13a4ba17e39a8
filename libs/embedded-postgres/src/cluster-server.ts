import { realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getProgramPath } from './binaries.js';
import { getClusterFolder } from './cluster.js';
import { readDataDirectory } from './database-client.js';
import { getErrorCode } from './error-code.js';
import type { ServerPlacement } from './placement.js';
import { getPidFile, readLastPort, readPostmasterState } from './postmaster.js';
import { runProgram, type ProgramRun } from './run-program.js';
import { chooseSocketFolder, formatSocketSetting, removeStaleSocketLock } from './socket-folder.js';
import { removeStaleFile } from './stale-files.js';
import { rotateServerLog, getServerLogPath, readFileSize, readFileTail } from './server-log.js';

/** Maps the names of PostgreSQL settings to values. */
export type ServerSettings = Readonly<Record<string, string>>;

const SETTINGS: ServerSettings = {
  listen_addresses: '127.0.0.1',
  max_connections: '300',
  // The server does not restart itself after a crash: it ends, and `superviseServer` starts it again. PostgreSQL 18 can
  // deadlock if it restarts itself on a full disk: its startup process and its checkpointer wait for each other, even
  // after space was freed.
  restart_after_crash: 'off',
};

const ATTEMPTS = 10;
const RETRY_MS = 200;
/**
 * Maximum time for a start, in seconds. It is long, because crash recovery replays the write-ahead log since the last
 * checkpoint.
 */
const START_SECONDS = 300;
const FAST_STOP_SECONDS = 30;
const IMMEDIATE_STOP_SECONDS = 10;
const ANSWER_MS = 60_000;
const PROGRAM_GRACE_SECONDS = 15;

// Matches temporary errors: another program uses the port, a concurrent start locks the cluster, or backends of a
// killed server are still running.
const TEMPORARY_ERROR = /could not bind|Address already in use|lock file .* already exists|shared memory block/i;
/**
 * Text in the error of a failed start if the file system of the socket folder supports no sockets. An example is a
 * folder that Docker Desktop shares.
 */
const SOCKET_ERROR = 'could not create any Unix-domain sockets';
const WRONG_PASSWORD = '28P01';

export interface RunningServer {
  readonly port: number;
  readonly wasRunning: boolean;
}

/** Describes how the server of a cluster is started. */
export interface ServerStartOptions {
  readonly password: string;
  readonly settings: ServerSettings;
  /** Port of the server. Absent: the port of the previous start if it is free, otherwise any free port. */
  readonly port?: number;
  /** Called at each attempt to start the server, as soon as pg_ctl runs. */
  readonly onStarting?: (() => void) | undefined;
}

/**
 * Returns the running server of the cluster if it accepts the password. Otherwise starts a server.
 *
 * @throws Error with the end of the server log if the server does not start
 */
export async function findOrStartServer(
  placement: ServerPlacement,
  { password, settings, port: wanted, onStarting }: ServerStartOptions,
): Promise<RunningServer> {
  let socketFolder = chooseSocketFolder(placement.home);
  for (let attempt = 1; ; attempt += 1) {
    const running = await findRunningPort(placement, password);
    if (running !== undefined) return { port: running, wasRunning: true };
    await prepareClusterForStart(placement);
    const port = wanted ?? (await choosePortForStart(placement, attempt));
    const starting = await startServer(placement, { port, settings, socketFolder });
    onStarting?.();
    const run = await starting.ended;
    if (run.exitCode === 0) return { port, wasRunning: false };
    if (run.output.includes(SOCKET_ERROR)) socketFolder = undefined;
    else if (attempt === ATTEMPTS || !TEMPORARY_ERROR.test(run.output))
      throw new Error(`PostgreSQL did not start in ${placement.home}: ${run.output}`);
    await pause(RETRY_MS);
  }
}

/**
 * Returns the port of the previous start at the first attempt, so that clients can reconnect, and a free port at later
 * attempts.
 */
async function choosePortForStart(placement: ServerPlacement, attempt: number): Promise<number> {
  const last = attempt === 1 ? await readLastPort(getClusterFolder(placement)) : undefined;
  return last ?? findFreePort();
}

/** Stops the server of the cluster, within about a minute. @throws Error if the server is still running afterwards */
export async function stopServer(placement: ServerPlacement): Promise<void> {
  if (await stopServerWithMode(placement, 'fast', FAST_STOP_SECONDS)) return;
  if (await stopServerWithMode(placement, 'immediate', IMMEDIATE_STOP_SECONDS)) return;
  const left = await readPostmasterState(getClusterFolder(placement));
  if (left.state === 'running')
    throw new Error(
      `the PostgreSQL server of the folder ${placement.home} did not stop within ${FAST_STOP_SECONDS + IMMEDIATE_STOP_SECONDS} s: stop its process ${left.pid}`,
    );
}

async function findRunningPort(placement: ServerPlacement, password: string): Promise<number | undefined> {
  const cluster = await realpath(getClusterFolder(placement));
  const deadline = Date.now() + ANSWER_MS;
  while (Date.now() < deadline) {
    const found = await readPostmasterState(cluster);
    if (found.state !== 'running') return undefined;
    if (found.port !== undefined) {
      const answer = await readDataDirectory(found.port, password).catch(getErrorCode);
      if (answer === cluster) return found.port;
      if (answer === WRONG_PASSWORD) return undefined;
    }
    await pause(RETRY_MS);
  }
  return undefined;
}

/**
 * Stops a running server that rejects the password or does not respond, removes a stale process id file, and rotates
 * the log.
 */
async function prepareClusterForStart(placement: ServerPlacement): Promise<void> {
  const cluster = getClusterFolder(placement);
  const found = await readPostmasterState(cluster);
  if (found.state === 'running') await stopServer(placement);
  if (found.state === 'stale' && found.removable) await removeStaleFile(getPidFile(cluster), found.content);
  await rotateServerLog(placement.home);
}

interface ServerAddress {
  readonly port: number;
  readonly settings: ServerSettings;
  /** Folder of the Unix socket. Undefined: the server has no socket. */
  readonly socketFolder: string | undefined;
}

/**
 * Starts pg_ctl, which starts the server.
 *
 * @returns `ended`, which resolves with the result of pg_ctl, and with the end of the server log if pg_ctl failed
 */
async function startServer(
  placement: ServerPlacement,
  { port, settings, socketFolder }: ServerAddress,
): Promise<{ readonly ended: Promise<ProgramRun> }> {
  const log = getServerLogPath(placement.home);
  const from = await readFileSize(log);
  if (socketFolder !== undefined)
    await removeStaleSocketLock(socketFolder, port, await realpath(getClusterFolder(placement)));
  const all = { ...SETTINGS, unix_socket_directories: formatSocketSetting(socketFolder), ...settings };
  const options = [`-p ${port}`, ...Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)].join(' ');
  const ended = runPgCtl(placement, START_SECONDS, ['start', '--log', log, '--options', options]).then(async (run) =>
    run.exitCode === 0 ? run : { ...run, output: `${run.output}\n${await readFileTail(log, from)}` },
  );
  return { ended };
}

/** Stops the server in a mode of pg_ctl. @returns true if no server is running afterwards */
async function stopServerWithMode(
  placement: ServerPlacement,
  mode: 'fast' | 'immediate',
  seconds: number,
): Promise<boolean> {
  const found = await readPostmasterState(getClusterFolder(placement));
  if (found.state !== 'running') return true;
  await runPgCtl(placement, seconds, ['stop', '--mode', mode]);
  return (await readPostmasterState(getClusterFolder(placement))).state !== 'running';
}

function runPgCtl(placement: ServerPlacement, timeoutSeconds: number, args: readonly string[]): Promise<ProgramRun> {
  const commonOptions = ['--pgdata', getClusterFolder(placement), '--wait', '--timeout', String(timeoutSeconds)];
  return runProgram(getProgramPath(placement.binaries, 'pg_ctl'), [...args, ...commonOptions], {
    timeoutMs: (timeoutSeconds + PROGRAM_GRACE_SECONDS) * 1000,
    as: placement.identity,
  });
}

/** Returns a free port of 127.0.0.1. Another program may use the port before the caller does. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error(`expected a free port of 127.0.0.1, found the address ${String(address)}`));
      });
    });
  });
}
