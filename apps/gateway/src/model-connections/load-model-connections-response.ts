import type { ModelConnectionsResponse } from '@quarry/contracts';
import type { Gateway } from '../gateway.js';
import { listConnections } from './connection-repository.js';

/**
 * Returns the providers that environment variables configure, and the providers with stored connections. Omits the API
 * keys.
 *
 * @throws Problem `dependency_unavailable`
 */
export async function loadModelConnectionsResponse(
  { db, queryService, storedConnections }: Pick<Gateway, 'db' | 'queryService' | 'storedConnections'>,
  signal: AbortSignal,
): Promise<ModelConnectionsResponse> {
  const connections = await storedConnections.read();
  const [rows, { defaultModel, providers }] = await Promise.all([
    listConnections(db),
    queryService.listModels({ connections }, signal),
  ]);
  return {
    defaultModel,
    connections: providers.map(({ provider, source, baseUrl, model }) => {
      const row = source === 'api' ? rows.find((one) => one.provider === provider) : undefined;
      return {
        provider,
        source,
        baseUrl,
        model,
        keyHint: row?.keyHint ?? null,
        updatedAt: row?.updatedAt.toISOString() ?? null,
      };
    }),
  };
}
