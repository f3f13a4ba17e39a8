import type { Log } from '@quarry/service-kit';
import type { OpenDatabase } from '../database/database.js';
import type { KeyRow } from '../database/tables/api-keys.js';
import { KeyChangeListener } from './key-change-listener.js';
import { findKeyByHash } from './key-repository.js';

/** Finds API keys. A key that is revoked or changed by any gateway, or by SQL, is found in its new state within a second. */
export interface KeyCache {
  /** Returns the key with this hash, in a state that is at most a second old. Undefined: there is no such key. */
  find(hash: string): Promise<KeyRow | undefined>;
  /** Sets the time of the last use of a key that is in the cache. */
  setLastUse(key: KeyRow, lastUsedAt: Date): void;
  /** Empties the cache. Called after this gateway has changed a key. */
  clear(): void;
  close(): Promise<void>;
}

/** Time in milliseconds after which a key is read again, even if no change was reported. */
const MAX_AGE_MS = 30_000;
const MAX_KEYS = 10_000;

interface CachedKey {
  readonly row: KeyRow;
  readonly loadedAt: number;
}

interface KeyCacheParts extends Pick<OpenDatabase, 'db' | 'openConnection'> {
  readonly log: Pick<Log, 'warn' | 'info'>;
}

/**
 * Creates the cache of API keys of a gateway. Each change of any key empties the cache, because changes are rare.
 * `find` uses the cache only while the listener confirms that no change was missed.
 */
export function createKeyCache({ db, log, openConnection }: KeyCacheParts): KeyCache {
  const keys = new Map<string, CachedKey>();
  let changes = 0;
  const clear = (): void => {
    changes += 1;
    keys.clear();
  };
  const listener = new KeyChangeListener({ log, connect: openConnection, onChange: clear });
  return {
    find: async (hash) => {
      const isCurrent = listener.isCurrent();
      const cached = keys.get(hash);
      const loadedAt = performance.now();
      if (isCurrent && cached !== undefined && loadedAt - cached.loadedAt < MAX_AGE_MS) return cached.row;
      const changesBefore = changes;
      const row = await findKeyByHash(db, hash);
      // A change that arrives during the query may be newer than the row.
      if (row !== undefined && changes === changesBefore) {
        if (keys.size >= MAX_KEYS) keys.clear();
        keys.set(hash, { row, loadedAt });
      }
      return row;
    },
    setLastUse: ({ hash }, lastUsedAt) => {
      const cached = keys.get(hash);
      if (cached !== undefined) keys.set(hash, { ...cached, row: { ...cached.row, lastUsedAt } });
    },
    clear,
    close: async () => listener.close(),
  };
}
