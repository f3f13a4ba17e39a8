import { ConfigurationError } from './configuration/configuration-error.js';
import { exitOnUnsupportedNode } from './node-version.js';

/** Matches the codes of errors of OpenSSL and of Node that mean that the certificate of a server was rejected. */
const REFUSED =
  /^(ERR_TLS_CERT_ALTNAME_INVALID|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF).*|CERT_[A-Z_]+)$/;
const EXPECTED =
  'Expected a certificate for the host of the address, signed by a trusted authority: a public authority, one in ' +
  'the file that NODE_EXTRA_CA_CERTS names, or for PostgreSQL one in the file of the address parameter sslrootcert.';

/** Matches the error codes of Node for an unreachable server, and those of PostgreSQL for a wrong user or database. */
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|28000|28P01|3D000)$/;
const REACHABLE =
  'Start this server, or correct its address in the environment: ' +
  'DATABASE_URL, QUARRY_QUEUE_URL, QDRANT_URL or QUARRY_BLOB_URL.';

/** Describes a running service. */
export interface RunningService {
  /** Resolves with the reason if the service cannot continue. Absent: only a signal ends the service. */
  readonly failure?: Promise<Error>;
  /**
   * Accepts no new work, and finishes the work in progress or returns it to its queue. Must resolve within `deadlineMs`
   * milliseconds.
   */
  close(deadlineMs: number): Promise<void>;
}

/** Maximum time for a shutdown, in milliseconds. It is shorter than the default grace period of Kubernetes, 30 s. */
export const SHUTDOWN_DEADLINE_MS = 25_000;

/** Describes why a service closes, and the exit code of its process. */
interface Shutdown {
  readonly after: string;
  readonly exitCode: number;
}

/**
 * Runs a service in its process: starts it, waits for SIGTERM or SIGINT, closes it and exits with 0. A signal during the
 * start closes the service as soon as it has started. A service that cannot start, or cannot continue, writes the reason
 * to standard error and exits with 1. A second Ctrl-C exits immediately. A second SIGTERM is ignored, because parent
 * processes often repeat a signal to a process group.
 */
export async function runService(name: string, start: () => Promise<RunningService>): Promise<void> {
  exitOnUnsupportedNode();
  // Begins the start after the handlers below exist.
  const starting = Promise.resolve().then(start);
  let service: RunningService | undefined;
  let closing: Promise<void> | undefined;
  const closeOnce = (shutdown: Shutdown): void => {
    closing ??= closeServiceAndExit(name, starting, shutdown);
  };
  const onSignal = (signal: string): void => {
    if (service === undefined) process.stderr.write(`${name} received ${signal} and closes when it has started\n`);
    closeOnce({ after: signal, exitCode: 0 });
  };
  // A signal without a handler ends the process and closes nothing. Process 1 of a container would not receive it.
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.once('SIGINT', () => process.once('SIGINT', () => process.exit(130)));
  try {
    service = await starting;
  } catch (error) {
    process.stderr.write(`${name} could not start. ${formatFailure(error)}\n`);
    process.exit(1);
  }
  void service.failure?.then((error) => {
    process.stderr.write(`${name} cannot continue. ${error.message}\n`);
    closeOnce({ after: 'its failure', exitCode: 1 });
  });
}

/** Closes a service as soon as it has started, and exits. The deadline includes the rest of the start. */
async function closeServiceAndExit(
  name: string,
  starting: Promise<RunningService>,
  { after, exitCode }: Shutdown,
): Promise<void> {
  const begun = performance.now();
  const overdue = setTimeout(() => {
    process.stderr.write(`${name} did not close within ${SHUTDOWN_DEADLINE_MS} ms of ${after}\n`);
    process.exit(1);
  }, SHUTDOWN_DEADLINE_MS);
  try {
    const service = await starting;
    const elapsedMs = Math.round(performance.now() - begun);
    await service.close(Math.max(0, SHUTDOWN_DEADLINE_MS - 3_000 - elapsedMs));
    clearTimeout(overdue);
    process.exit(exitCode);
  } catch (error) {
    process.stderr.write(`${name} did not close cleanly. ${formatFailure(error)}\n`);
    process.exit(1);
  }
}

/** Formats the reason for which a service fails. Omits the stack of errors that the operator can correct. */
function formatFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigurationError) return error.message;
  const advice = findAdvice(error);
  return advice === undefined ? (error.stack ?? error.message) : `${error.message}. ${advice}`;
}

/** Returns what the operator can do about a rejected certificate or an unreachable server, also if it is a cause. */
function findAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (REFUSED.test(code)) return EXPECTED;
  if (UNREACHABLE.test(code)) return REACHABLE;
  return findAdvice(error.cause);
}
