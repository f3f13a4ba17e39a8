import type { AnswerEvent, AnswerRequest, SearchRequest, SearchResponse } from '@quarry/contracts';
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
}

/** How long the service may take to answer a search, and to say whether it takes a question. */
const PATIENCE_MS = 30_000;

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
  throw refusalOf(response.status, await response.json().catch(() => undefined));
}

async function post(
  { url, token }: QueryServiceAddress,
  path: string,
  body: object,
  { signal, patience }: Ends,
): Promise<Response> {
  try {
    return await fetch(new URL(path, url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, patience]),
      redirect: 'error',
    });
  } catch (error) {
    signal.throwIfAborted();
    throw problem('dependency_unavailable', 'The query service does not answer. Try again.', {
      cause: error,
      headers: { 'Retry-After': '2' },
    });
  }
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
