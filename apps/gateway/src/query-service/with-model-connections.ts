import type { StoredConnections } from '../model-connections/stored-connections.js';
import type { QueryService } from './connect-query-service.js';

/**
 * Wraps a query service. Adds the stored model connections to each request for which the query service may call a
 * model.
 */
export function withModelConnections(
  queryService: QueryService,
  connections: Pick<StoredConnections, 'read'>,
): QueryService {
  const addConnections = async <Request extends object>(request: Request): Promise<Request> => {
    const modelConnections = await connections.read();
    return modelConnections.length === 0 ? request : { ...request, modelConnections };
  };
  return {
    search: async (request, signal) =>
      queryService.search(request.rewrite === true ? await addConnections(request) : request, signal),
    listFragments: async (request, signal) => queryService.listFragments(request, signal),
    embed: async (request, signal) => queryService.embed(request, signal),
    listModels: async (request, signal) => queryService.listModels(request, signal),
    testModel: async (request, signal) => queryService.testModel(request, signal),
    ping: async () => queryService.ping(),
    answer: async (request, signal) => queryService.answer(await addConnections(request), signal),
    previewPrompt: async (request, signal) => queryService.previewPrompt(await addConnections(request), signal),
  };
}
