import { ConfirmedCache } from '../database/confirmed-cache.js';
import type { Queries } from '../database/database.js';
import type { NotificationListener } from '../database/notification-listener.js';
import type { KeyRow } from '../database/tables/api-keys.js';
import { findKeyByHash } from './key-repository.js';

/** Finds API keys. A change of a key, by any gateway or by SQL, takes effect within a second. */
export interface KeyCache {
  /** Returns the API key with this hash, at most a second out of date. Undefined: there is no such key. */
  find(hash: string): Promise<KeyRow | undefined>;
  /** Sets the time of the last use of a key in the cache. Does nothing if the key is not in the cache. */
  setLastUse(key: KeyRow, lastUsedAt: Date): void;
  /** Empties the cache. Called after this gateway has changed a key. */
  clear(): void;
}

const MAX_KEYS = 10_000;

/** Creates the cache of the API keys of a gateway. */
export function createKeyCache(db: Queries, listener: NotificationListener): KeyCache {
  const keys = new ConfirmedCache<KeyRow>(listener, 'keys', MAX_KEYS);
  const readKey = async (hash: string): Promise<ReadonlyMap<string, KeyRow>> => {
    const row = await findKeyByHash(db, hash);
    return new Map(row === undefined ? [] : [[hash, row]]);
  };
  return {
    find: async (hash) => keys.get(hash) ?? (await keys.readAndStore(async () => readKey(hash))).get(hash),
    setLastUse: ({ hash }, lastUsedAt) => {
      keys.update(hash, (row) => ({ ...row, lastUsedAt }));
    },
    clear: () => {
      keys.clear();
    },
  };
}
