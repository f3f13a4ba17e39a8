import { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';
import type { QueryService } from './connect-query-service.js';
import { translateRefusal } from './refusal.js';

/** A query service that runs in this process, with the internal token of the services. */
export interface LocalQueryService extends QueryService {
  /** The token with which the services authenticate each other. */
  readonly token: string;
}

/** Wraps a query service of this process so that it throws the same errors as a query service over HTTP. */
export function createLocalQueryService(query: QueryService): QueryService {
  const translateErrors = async <T>(response: Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await response;
    } catch (error) {
      signal.throwIfAborted();
      throw translateServiceError(error);
    }
  };
  return {
    search: async (request, signal) => translateErrors(query.search(request, signal), signal),
    answer: async (request, signal) => translateErrors(query.answer(request, signal), signal),
    previewPrompt: async (request, signal) => translateErrors(query.previewPrompt(request, signal), signal),
    listFragments: async (request, signal) => translateErrors(query.listFragments(request, signal), signal),
    embed: async (request, signal) => translateErrors(query.embed(request, signal), signal),
    listModels: async (request, signal) => translateErrors(query.listModels(request, signal), signal),
    testModel: async (request, signal) => translateErrors(query.testModel(request, signal), signal),
    ping: () => query.ping(),
  };
}

function translateServiceError(error: unknown): Problem {
  if (error instanceof Problem) {
    const { code, kind, message: detail, headers } = error;
    return translateRefusal({ status: kind.status, body: { code, detail }, retryAfter: headers['Retry-After'] });
  }
  return problem('dependency_unavailable', 'The query service is unavailable. Retry later.', {
    cause: error,
    headers: { 'Retry-After': '2' },
  });
}
