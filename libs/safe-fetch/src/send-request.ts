import { rejectOnAbort } from '@quarry/cancellation';
import type { Agent, Dispatcher } from 'undici';
import { ACCEPTED_ENCODINGS } from './decompression.js';
import { toFetchError } from './to-fetch-error.js';
import { Exchange } from './keep-alive-agent.js';
import type { Limits } from './fetch-limits.js';
import type { OutgoingRequest } from './redirects.js';
import type { ResponseHeaders } from './safe-response.js';

/** Describes a response whose body was not read yet. */
export interface Reply {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Dispatcher.ResponseData['body'];
  readonly remoteAddress: string;
}

export interface SendOptions {
  readonly agent: Agent;
  readonly userAgent: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/**
 * Sends one request, without following redirects.
 *
 * @throws FetchRefused, FetchFailed
 */
export async function sendRequest(request: OutgoingRequest, options: SendOptions): Promise<Reply> {
  const exchange = new Exchange();
  try {
    const { statusCode, headers, body } = await requestOrAbort(buildDriverOptions(request, options, exchange), options);
    // The reader of the body receives its errors. Without a reader they must not end the process.
    body.on('error', () => undefined);
    return { status: statusCode, headers: joinValues(headers), body, remoteAddress: exchange.connection.address };
  } catch (error) {
    throw toFetchError(error, options.limits);
  }
}

// The driver checks the signal only once it has a connection. This also aborts requests in the queue and during
// connecting.
async function requestOrAbort(
  buildDriverOptions: Dispatcher.RequestOptions<Exchange>,
  { agent, signal }: SendOptions,
): Promise<Dispatcher.ResponseData<Exchange>> {
  signal.throwIfAborted();
  return rejectOnAbort(agent.request(buildDriverOptions), signal);
}

function buildDriverOptions(
  request: OutgoingRequest,
  { userAgent, limits, signal }: SendOptions,
  exchange: Exchange,
): Dispatcher.RequestOptions<Exchange> {
  return {
    origin: request.url.origin,
    path: `${request.url.pathname}${request.url.search}`,
    method: request.method,
    headers: {
      ...request.headers.open,
      ...request.headers.secret,
      'user-agent': userAgent,
      'accept-encoding': ACCEPTED_ENCODINGS,
    },
    body: request.body ?? null,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    signal,
    opaque: exchange,
  };
}

function joinValues(headers: Readonly<Record<string, string | string[] | undefined>>): ResponseHeaders {
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return new Map(fields);
}
