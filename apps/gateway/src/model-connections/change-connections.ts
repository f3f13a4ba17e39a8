import {
  MODEL_PROVIDERS,
  type ModelConnectionRequest,
  type ModelConnectionResponse,
  type ModelConnectionTestResponse,
  type ModelProvider,
} from '@quarry/contracts';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { getKeyHint, encryptKey } from './connection-key.js';
import { deleteConnection, findConnection, saveConnection } from './connection-repository.js';
import { describeTestFailure } from './describe-test-failure.js';
import { buildRequestedConnection } from './build-requested-connection.js';
import { loadModelConnectionsResponse } from './load-model-connections-response.js';

type Parts = Pick<Gateway, 'db' | 'queryService' | 'storedConnections' | 'secretCipher' | 'clock'>;

/** Returns the model provider with this name. @throws Problem 404 if there is no such provider */
export function requireProvider(name: string): ModelProvider {
  const provider = MODEL_PROVIDERS.find((known) => known === name);
  if (provider === undefined) throw createNotFoundProblem('model provider', name);
  return provider;
}

/**
 * Creates or replaces the stored connection to a model provider.
 *
 * @throws Problem 400 for an invalid or incomplete connection; Problem `set_by_environment` if environment variables of
 *   the query service configure the provider
 */
export async function setConnection(
  parts: Parts,
  provider: ModelProvider,
  request: ModelConnectionRequest,
  signal: AbortSignal,
): Promise<ModelConnectionResponse> {
  const { db, secretCipher, clock, storedConnections } = parts;
  const stored = await findConnection(db, provider);
  const {
    apiKey,
    baseUrl = null,
    model = null,
  } = await buildRequestedConnection(provider, request, stored, secretCipher);
  await refuseProviderOfEnvironment(parts, provider, signal);
  await saveConnection(db, {
    ...{ provider, baseUrl, model },
    encryptedKey: apiKey === undefined ? null : encryptKey(secretCipher, { provider, baseUrl }, apiKey),
    keyHint: apiKey === undefined ? null : getKeyHint(apiKey),
    updatedAt: clock(),
  });
  storedConnections.reload();
  const { connections } = await loadModelConnectionsResponse(parts, signal);
  const connection = connections.find((one) => one.provider === provider);
  if (connection === undefined) throw createNotFoundProblem('model connection', provider);
  return connection;
}

/**
 * Deletes the stored connection to a model provider.
 *
 * @throws if there is no stored connection: Problem `set_by_environment` if environment variables of the query service
 *   configure the provider, otherwise Problem 404
 */
export async function removeConnection(parts: Parts, provider: ModelProvider, signal: AbortSignal): Promise<void> {
  if (!(await deleteConnection(parts.db, provider))) {
    await refuseProviderOfEnvironment(parts, provider, signal);
    throw createNotFoundProblem('model connection', provider);
  }
  parts.storedConnections.reload();
}

/**
 * Tests a connection to a model provider by calling a model with it. The connection need not be stored.
 *
 * @throws Problem 400 for an invalid connection; Problem `model_connection_failed` if the call fails
 */
export async function testConnection(
  { db, queryService, secretCipher }: Parts,
  provider: ModelProvider,
  request: ModelConnectionRequest,
  signal: AbortSignal,
): Promise<ModelConnectionTestResponse> {
  const connection = await buildRequestedConnection(
    provider,
    request,
    await findConnection(db, provider),
    secretCipher,
  );
  const outcome = await queryService.testModel({ connection }, signal);
  if (outcome.failure !== null) throw problem('model_connection_failed', describeTestFailure(outcome));
  return { model: outcome.model, durationMs: outcome.durationMs };
}

/** Refuses a change of a provider that environment variables of the query service configure. */
async function refuseProviderOfEnvironment(
  { queryService }: Pick<Gateway, 'queryService'>,
  provider: ModelProvider,
  signal: AbortSignal,
): Promise<void> {
  const { providers } = await queryService.listModels({ connections: [] }, signal);
  if (!providers.some((one) => one.provider === provider)) return;
  throw problem(
    'set_by_environment',
    `Environment variables of the query service configure the provider ${provider}. Remove them before you change the provider here.`,
  );
}
