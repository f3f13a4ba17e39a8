import type { ConnectedProvider, ModelConnectionRequest, ModelProvider } from '@quarry/contracts';
import { DecryptionFailed, type SecretCipher } from '@quarry/encrypted-secrets';
import { createFieldProblem } from '../checks/field-problem.js';
import { decryptKey } from './connection-key.js';
import type { ConnectionRow } from './connection-repository.js';
import { requireOperatorAddress } from './require-operator-address.js';

/**
 * Returns the connection that a request describes. Values that the request omits are taken from the stored connection.
 * The stored key is used only for the stored address, so that it cannot be sent to another server.
 *
 * @throws Problem 400 for an invalid or incomplete connection, and if the stored key is needed but cannot be decrypted
 */
export async function buildRequestedConnection(
  provider: ModelProvider,
  request: ModelConnectionRequest,
  stored: ConnectionRow | undefined,
  secretCipher: Pick<SecretCipher, 'decrypt'>,
): Promise<ConnectedProvider> {
  const server =
    provider === 'custom' ? await requireCustomServer(request, stored) : requireNoServer(provider, request);
  const isSameAddress = stored?.baseUrl === (server.baseUrl ?? null);
  const apiKey =
    isSameAddress && request.apiKey === undefined
      ? decryptStoredKey(stored, secretCipher)
      : parseProviderKey(request.apiKey);
  if (apiKey !== undefined) return { provider, ...server, apiKey };
  if (provider !== 'custom') throw createFieldProblem('apiKey', `must be an API key of ${provider}, found none`);
  const hadKey = stored !== undefined && stored.encryptedKey !== null;
  if (request.apiKey === undefined && hadKey && !isSameAddress) {
    throw createFieldProblem('apiKey', 'must be given again for another address, or null if the server needs no key');
  }
  return { provider, ...server };
}

/** Matches an API key that an HTTP header can contain: visible ASCII characters. */
const KEY = /^[!-~]{1,4096}$/;

/**
 * Returns an API key without the spaces around it, which a pasted key may have. The message of the thrown problem does
 * not contain the key.
 */
function parseProviderKey(givenKey: string | null | undefined): string | undefined {
  if (givenKey === null || givenKey === undefined) return undefined;
  const key = givenKey.trim();
  if (!KEY.test(key)) throw createFieldProblem('apiKey', 'must be 1 to 4096 visible ASCII characters without spaces');
  return key;
}

/** Returns the server and the model of the provider `custom`, which are required. @throws Problem 400 */
async function requireCustomServer(
  request: ModelConnectionRequest,
  stored: ConnectionRow | undefined,
): Promise<{ readonly baseUrl: string; readonly model: string }> {
  const baseUrl = request.baseUrl?.replace(/(?<!\/)\/+$/, '') ?? stored?.baseUrl ?? undefined;
  const model = request.model ?? stored?.model ?? undefined;
  if (baseUrl === undefined) {
    throw createFieldProblem('baseUrl', 'must be the base URL of an OpenAI-compatible server, found none');
  }
  if (model === undefined) {
    throw createFieldProblem(
      'model',
      'must be the name of a model that the server at baseUrl offers; the field is missing',
    );
  }
  await requireOperatorAddress('baseUrl', baseUrl);
  return { baseUrl, model };
}

/** Refuses the fields `baseUrl` and `model`, which only the provider `custom` may have. */
function requireNoServer(
  provider: ModelProvider,
  { baseUrl, model }: ModelConnectionRequest,
): { readonly baseUrl?: string; readonly model?: string } {
  if (baseUrl !== undefined) {
    throw createFieldProblem(
      'baseUrl',
      `must be absent for ${provider}. For other servers, use the provider named custom`,
    );
  }
  if (model !== undefined) {
    throw createFieldProblem('model', `must be absent for ${provider}, because agents and requests select its model`);
  }
  return {};
}

function decryptStoredKey(stored: ConnectionRow, secretCipher: Pick<SecretCipher, 'decrypt'>): string | undefined {
  if (stored.encryptedKey === null) return undefined;
  try {
    return decryptKey(secretCipher, stored, stored.encryptedKey);
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
    throw createFieldProblem(
      'apiKey',
      'must be given again, because QUARRY_SEALING_KEY does not decrypt the stored key',
    );
  }
}
