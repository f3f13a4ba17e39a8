import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerEvent, AnswerRequest, SearchRequest, SearchResponse } from '@quarry/contracts';
import { pingService, traceHeaders } from '@quarry/service-kit';
import { problem } from '../problems.js';
import { readEvent, readSearch } from './answers.js';
import { linesOf } from './lines.js';
import { refusalOf } from './refusal.js';

/** Where the query service is, and the token that the services share. */
export interface QueryServiceAddress {
  /** Such as `http://127.0.0.1:3001`. */
  readonly url: string;
  readonly token: string;
}

export interface QueryService {
  /** @throws Problem */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResponse>;

  /**
   * Resolves once the service has taken the question, so that what can be refused has been. The last event is `completed` or
   * `failed`: a service that goes away on the way counts as failed.
   *
   * @param signal ends the answer: the model call is aborted, and the iteration throws
   * @throws Problem
   */
  answer(request: AnswerRequest, signal: AbortSignal): Promise<AsyncIterable<AnswerEvent>>;

  /** @throws with the reason when no replica can answer */
  ping(): Promise<void>;
}

/** How long the service may take to answer a search, and to say whether it takes a question. */
const PATIENCE_MS = 30_000;

/** How long a service that refuses connections is asked again. */
const RESTART_MS = 2_000;
const AGAIN_MS = 50;
/** A question that ended so many processes is not given to another one. */
const CONNECTIONS_LOST = 3;

export function connectQueryService(address: QueryServiceAddress): QueryService {
  return {
    search: async (request, signal) => {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      const response = await ask(address, '/internal/search', request, { signal, patience });
      try {
        return readSearch(await response.json());
      } catch (error) {
        throw unreadable(error);
      }
    },
    answer: async (request, signal) => {
      const impatience = new AbortController();
      const timer = setTimeout(() => {
        impatience.abort(new Error(`no answer within ${PATIENCE_MS} ms`));
      }, PATIENCE_MS);
      try {
        const patience = impatience.signal;
        return eventsOf(await ask(address, '/internal/answer', request, { signal, patience }), signal);
      } finally {
        clearTimeout(timer);
      }
    },
    ping: () => pingService(address.url, 'ready'),
  };
}

interface Ends {
  /** The caller's. */
  readonly signal: AbortSignal;
  /** Ours. */
  readonly patience: AbortSignal;
}

async function ask(address: QueryServiceAddress, path: string, body: object, ends: Ends): Promise<Response> {
  const response = await post(address, path, body, ends);
  if (response.ok) return response;
  throw refusalOf({
    status: response.status,
    // A body that is not JSON comes from a proxy; the status says enough.
    body: await response.json().catch(() => undefined),
    retryAfter: response.headers.get('retry-after') ?? undefined,
  });
}

/**
 * Asks again where no answer began to come: a replica that ends refuses connections, and closes those that wait for their next
 * request while that is on its way. The service only reads, so asking twice changes nothing.
 */
async function post(address: QueryServiceAddress, path: string, body: object, ends: Ends): Promise<Response> {
  const deadline = Date.now() + RESTART_MS;
  for (let lost = 0; ;) {
    try {
      return await send(address, path, body, ends);
    } catch (error) {
      ends.signal.throwIfAborted();
      if (!isRefused(error)) lost += 1;
      if (ends.patience.aborted || lost >= CONNECTIONS_LOST || Date.now() > deadline) throw unreachable(error);
      await pause(AGAIN_MS);
    }
  }
}

async function send({ url, token }: QueryServiceAddress, path: string, body: object, ends: Ends): Promise<Response> {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...traceHeaders() },
    body: JSON.stringify(body),
    signal: AbortSignal.any([ends.signal, ends.patience]),
    redirect: 'error',
  });
}

/** Whether nobody listened at the address, so that no process has seen the question. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

function unreachable(cause: unknown): Error {
  return problem('dependency_unavailable', 'The query service does not answer. Try again.', {
    cause,
    headers: { 'Retry-After': '2' },
  });
}

async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  try {
    for await (const line of linesOf(bytesOf(response))) {
      const event = readEvent(line);
      if (event === undefined) continue;
      yield event;
      if (event.type !== 'delta') return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(error);
  }
  yield { type: 'failed', code: 'answer_failed', message: 'The answer broke off.' };
}

async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body !== null) yield* body;
}

function unreadable(error: unknown): Error {
  return problem('dependency_unavailable', 'The query service gave an answer that cannot be read.', { cause: error });
}
