import { createHash } from 'node:crypto';
import type { ConnectedProvider, ModelListResponse, ModelTestResponse } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { connectProviders, listProviders } from './connect-providers.js';
import type { ModelSettings } from './model-settings.js';
import { openModels, type Models } from './open-models.js';
import { testProvider } from './test-provider.js';

/** Provides the models that environment variables configure, and those of the connections that a request contains. */
export interface ModelSource {
  /** Opens the models of the environment and of `connections`. Calls with the same connections share the clients. */
  connect(connections: readonly ConnectedProvider[]): Promise<Models>;
  /** Lists the providers of the environment and of `connections`, without their keys. */
  list(connections: readonly ConnectedProvider[]): ModelListResponse;
  /** Tests a connection by one call of a model. Does not use the providers of the environment. */
  test(connection: ConnectedProvider, signal: AbortSignal): Promise<ModelTestResponse>;
}

/**
 * Maximum number of sets of connections whose clients stay open: the current one, and the previous one during a change.
 */
const MAX_OPEN_SETS = 2;

/** Opens the models of the environment. */
export async function openModelSource(settings: ModelSettings, log: Log): Promise<ModelSource> {
  const ofEnvironment = await openModels(settings, log);
  const opened = new Map<string, Promise<Models>>();
  return {
    connect: async (connections) => {
      if (connections.length === 0) return ofEnvironment;
      const name = hashConnections(connections);
      const models = opened.get(name) ?? openModels(connectProviders(settings, connections), log);
      // The newest set is the last one, so that the first one is the least recently used.
      opened.delete(name);
      opened.set(name, models);
      for (const oldest of [...opened.keys()].slice(0, -MAX_OPEN_SETS)) opened.delete(oldest);
      return models;
    },
    list: (connections) => listProviders(settings, connections),
    test: async (connection, signal) => testProvider(settings, connection, { log, signal }),
  };
}

/** Hashes connections, so that they can be compared without storing their keys. */
function hashConnections(connections: readonly ConnectedProvider[]): string {
  return createHash('sha256').update(JSON.stringify(connections)).digest('base64');
}
