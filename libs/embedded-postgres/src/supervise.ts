import { setTimeout as pause } from 'node:timers/promises';

/** Describes a server whose state can be read, and which can be restarted at the same address. */
export interface SupervisedServer {
  isRunning(): Promise<boolean>;
  /** Restarts the server. @throws Error with the reason if it does not start */
  restart(): Promise<void>;
}

export interface SupervisionSettings {
  /** Interval between two checks whether the server is running, in milliseconds. */
  readonly checkMs: number;
  /**
   * Delay after the first failed restart, in milliseconds. It doubles with each further failed restart, up to
   * `maxBackoffMs`.
   */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** Maximum time for which consecutive restarts may fail, in milliseconds. */
  readonly restartTimeoutMs: number;
  readonly log: (line: string) => void;
  /** Called once with the reason when restarts have failed for `restartTimeoutMs`. No further restart follows. */
  readonly onGivenUp: (error: Error) => void;
}

export interface Supervision {
  /** Ends the supervision. Resolves after the current restart attempt. */
  stop(): Promise<void>;
}

/**
 * Monitors a server, and restarts it if it is not running. Repeats failed restarts with exponential backoff, because
 * causes such as a full disk may be temporary. Does not prevent this process from exiting.
 */
export function superviseServer(server: SupervisedServer, settings: SupervisionSettings): Supervision {
  const stopping = new AbortController();
  const watching = restartServerWhenStopped(server, settings, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

async function restartServerWhenStopped(
  server: SupervisedServer,
  settings: SupervisionSettings,
  signal: AbortSignal,
): Promise<void> {
  while (await waitUnlessAborted(settings.checkMs, signal)) {
    // If a check fails, the state of the server is unknown.
    if (await server.isRunning().catch(() => true)) continue;
    settings.log('PostgreSQL stopped running and is being restarted');
    const failure = await restartServerWithRetries(server, settings, signal);
    if (failure === undefined) continue;
    settings.onGivenUp(failure);
    return;
  }
}

/**
 * Restarts the server, and retries failed restarts.
 *
 * @returns the reason for giving up, or undefined if the server runs or the supervision was stopped
 */
async function restartServerWithRetries(
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
      if (performance.now() + backoffMs > deadline) return createRestartError(restartTimeoutMs, error);
      log(`PostgreSQL could not be restarted; next attempt in ${backoffMs} ms: ${getErrorMessage(error)}`);
    }
    if (!(await waitUnlessAborted(backoffMs, signal))) return undefined;
    backoffMs = Math.min(2 * backoffMs, maxBackoffMs);
  }
  return undefined;
}

function createRestartError(restartTimeoutMs: number, cause: unknown): Error {
  return new Error(
    `PostgreSQL stopped running and could not be restarted within ${restartTimeoutMs / 1000} s. Remove the cause, then restart Quarry. The last attempt failed: ${getErrorMessage(cause)}`,
    { cause },
  );
}

/** Waits for `ms` milliseconds, or until the signal aborts. @returns false if the signal has aborted */
async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  return pause(ms, true, { signal, ref: false }).catch(() => false);
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
