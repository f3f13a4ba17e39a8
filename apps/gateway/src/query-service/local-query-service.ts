import { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';
import type { QueryService } from './connect-query-service.js';
import { refusalOf } from './refusal.js';

export interface LocalQueryService extends QueryService {
  /** What the services know each other by. */
  readonly token: string;
}

/** A query service in the same process: what it refuses is told as if it had come over HTTP. */
export function createLocalQueryService(query: QueryService): QueryService {
  const asked = async <T>(asking: Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await asking;
    } catch (error) {
      signal.throwIfAborted();
      throw told(error);
    }
  };
  return {
    search: async (request, signal) => asked(query.search(request, signal), signal),
    answer: async (request, signal) => asked(query.answer(request, signal), signal),
    ping: () => query.ping(),
  };
}

function told(error: unknown): Problem {
  if (error instanceof Problem) {
    const { code, kind, message: detail, headers } = error;
    return refusalOf({ status: kind.status, body: { code, detail }, retryAfter: headers['Retry-After'] });
  }
  return problem('dependency_unavailable', 'The query service does not answer. Try again.', {
    cause: error,
    headers: { 'Retry-After': '2' },
  });
}
