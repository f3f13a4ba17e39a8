import { setTimeout as pause } from 'node:timers/promises';
import { getRequestIdHeader, getTraceHeaders } from '@quarry/service-kit';
import type { Dispatcher, Pool } from 'undici';
import { problem } from '../problems.js';

/** Time in milliseconds after the first attempt during which a request is repeated if its connection fails. */
const RETRY_PERIOD_MS = 2_000;
const RETRY_DELAY_MS = 50;
/**
 * Number of lost connections after which a request is not repeated again, because the request itself may be the cause
 * of crashes of the service.
 */
const MAX_LOST_CONNECTIONS = 3;

/**
 * Holds the connections to the query service. Idle connections close by themselves, and do not keep the process
 * running.
 */
export interface Connections {
  readonly pool: Pool;
  readonly token: string;
}

export interface AbortSignals {
  /** Aborts when the caller no longer needs the response. */
  readonly signal: AbortSignal;
  /** Aborts when `signal` aborts, and when the service does not respond in time. */
  readonly requestSignal: AbortSignal;
}

/**
 * Sends a request, and repeats it if the connection fails before a response begins. This can occur because a stopping
 * replica refuses new connections and closes idle connections. Repeating a request is safe, because the service only
 * reads.
 */
export async function sendToQueryService(
  connections: Connections,
  path: string,
  body: object,
  signals: AbortSignals,
): Promise<Dispatcher.ResponseData> {
  const deadline = Date.now() + RETRY_PERIOD_MS;
  for (let lost = 0; ;) {
    try {
      return await sendRequestOnce(connections, path, body, signals);
    } catch (error) {
      signals.signal.throwIfAborted();
      if (!isConnectionRefused(error)) lost += 1;
      if (signals.requestSignal.aborted || lost >= MAX_LOST_CONNECTIONS || Date.now() > deadline)
        throw buildUnavailableProblem(error);
      await pause(RETRY_DELAY_MS);
    }
  }
}

async function sendRequestOnce(
  { pool, token }: Connections,
  path: string,
  body: object,
  { requestSignal }: AbortSignals,
): Promise<Dispatcher.ResponseData> {
  return pool.request({
    path,
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...getTraceHeaders(),
      ...getRequestIdHeader(),
    },
    body: JSON.stringify(body),
    signal: requestSignal,
  });
}

/** Returns true if the connection was refused, so that no process has received the request. */
function isConnectionRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

function buildUnavailableProblem(cause: unknown): Error {
  return problem('dependency_unavailable', 'The query service is unavailable. Retry later.', {
    cause,
    headers: { 'Retry-After': '2' },
  });
}
