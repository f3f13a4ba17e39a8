import { setTimeout as pause } from 'node:timers/promises';

/** A server that is watched, and that can be started again where it was. */
export interface SupervisedServer {
  isRunning(): Promise<boolean>;
  /** Starts it again. @throws with the reason when it does not start */
  restart(): Promise<void>;
}

export interface SupervisionSettings {
  /** How often to check that the server runs, in milliseconds. */
  readonly checkMs: number;
  /** The wait after the first failed restart, in milliseconds. It doubles with each further one. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** How long restarts may fail, in milliseconds, before the server is given up. */
  readonly restartTimeoutMs: number;
  readonly log: (line: string) => void;
  /** Receives the reason, once, when the server is given up. */
  readonly onGivenUp: (error: Error) => void;
}

export interface Supervision {
  /** Ends the supervision, after a restart attempt that is under way. */
  stop(): Promise<void>;
}

/**
 * Watches a server, and restarts it when it no longer runs. Failed restarts are repeated with exponential back-off, because a
 * cause such as a full disk may pass. Does not keep the process alive.
 */
export function supervise(server: SupervisedServer, settings: SupervisionSettings): Supervision {
  const stopping = new AbortController();
  const watching = watch(server, settings, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

async function watch(server: SupervisedServer, settings: SupervisionSettings, signal: AbortSignal): Promise<void> {
  while (await elapsed(settings.checkMs, signal)) {
    // A check that fails shows nothing about the server.
    if (await server.isRunning().catch(() => true)) continue;
    settings.log('PostgreSQL is not running any more: restarting it');
    const failure = await restart(server, settings, signal);
    if (failure === undefined) continue;
    settings.onGivenUp(failure);
    return;
  }
}

/** @returns why it was given up; undefined when the server runs again, or the supervision is stopped */
async function restart(
  server: SupervisedServer,
  settings: SupervisionSettings,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const { minBackoffMs, maxBackoffMs, restartTimeoutMs, log } = settings;
  const deadline = performance.now() + restartTimeoutMs;
  let backoffMs = minBackoffMs;
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await server.restart();
      log(`PostgreSQL runs again, after ${attempt === 1 ? 'one attempt' : `${attempt} attempts`}`);
      return undefined;
    } catch (error) {
      if (performance.now() + backoffMs > deadline) return givenUp(restartTimeoutMs, error);
      log(`PostgreSQL could not be restarted; next attempt in ${backoffMs} ms: ${messageOf(error)}`);
    }
    if (!(await elapsed(backoffMs, signal))) return undefined;
    backoffMs = Math.min(2 * backoffMs, maxBackoffMs);
  }
  return undefined;
}

function givenUp(restartTimeoutMs: number, cause: unknown): Error {
  return new Error(
    `PostgreSQL stopped running and could not be restarted within ${restartTimeoutMs / 1000} s. Remove the cause, then start again. The last attempt: ${messageOf(cause)}`,
    { cause },
  );
}

/** @returns whether the time is over; false as soon as the signal is aborted */
async function elapsed(ms: number, signal: AbortSignal): Promise<boolean> {
  return pause(ms, true, { signal, ref: false }).catch(() => false);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
