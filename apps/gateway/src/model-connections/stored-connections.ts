import type { ConnectedProvider } from '@quarry/contracts';
import type { SecretCipher } from '@quarry/encrypted-secrets';
import type { Log } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import { decryptKey } from './connection-key.js';
import { listConnections, type ConnectionRow } from './connection-repository.js';

/** Provides the stored connections to model providers with their API keys, for requests to the query service. */
export interface StoredConnections {
  /** Returns the connections, which may be up to 2 seconds old. */
  read(): Promise<readonly ConnectedProvider[]>;
  /** Makes the next `read` load the connections again. Called after this gateway has changed a connection. */
  reload(): void;
}

/**
 * Time in milliseconds after which a gateway reads the connections from the database again, to use the changes of other
 * gateways. docs/operations.md states this time.
 */
const MAX_AGE_MS = 2_000;

interface Parts {
  readonly db: Queries;
  readonly secretCipher: Pick<SecretCipher, 'decrypt'>;
  readonly log: Log;
}

/** Creates a cached reader of the stored connections. Questions cause at most one SQL statement in 2 seconds. */
export function createStoredConnections({ db, secretCipher, log }: Parts): StoredConnections {
  let cached: { readonly connections: Promise<readonly ConnectedProvider[]>; readonly at: number } | undefined;
  const load = async (): Promise<readonly ConnectedProvider[]> =>
    (await listConnections(db)).flatMap((row) => decryptConnection(row, secretCipher, log));
  return {
    read: async () => {
      if (cached !== undefined && performance.now() - cached.at < MAX_AGE_MS) return cached.connections;
      const reading = { connections: load(), at: performance.now() };
      cached = reading;
      try {
        return await reading.connections;
      } catch (error) {
        if (cached === reading) cached = undefined;
        throw error;
      }
    },
    reload: () => {
      cached = undefined;
    },
  };
}

/**
 * Decrypts the API key of a connection, and returns the connection in a list. The list is empty if the key cannot be
 * decrypted, so that the connections to other providers still work.
 */
function decryptConnection(
  row: ConnectionRow,
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  log: Log,
): ConnectedProvider[] {
  const { provider, baseUrl, model, encryptedKey } = row;
  try {
    const apiKey = encryptedKey === null ? undefined : decryptKey(secretCipher, row, encryptedKey);
    return [
      {
        provider,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(baseUrl === null ? {} : { baseUrl }),
        ...(model === null ? {} : { model }),
      },
    ];
  } catch (error) {
    log.error(
      { err: error, provider },
      'the key of a model connection cannot be decrypted; store the connection again',
    );
    return [];
  }
}
