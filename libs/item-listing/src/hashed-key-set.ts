import { hash as digest } from 'node:crypto';

/** Describes the part of `Set<string>` that a scan of a listing uses for document keys. */
export interface KeySet {
  readonly size: number;
  has(key: string): boolean;
  add(key: string): unknown;
}

const FIRST_CAPACITY = 8;
/** Number of 32-bit words in which the hash of a key is stored. */
const WORDS = 2;

/**
 * Stores a 64-bit hash of each key instead of the key. A key needs at most 32 bytes, compared to about 100 bytes in a
 * `Set` of strings. Among a million keys, two keys have the same hash, and then count as one key, with a probability of
 * 3 · 10⁻⁸.
 */
export class HashedKeySet implements KeySet {
  /**
   * Up to 256 tables, one for each value of the highest 8 bits of a hash. Each table grows separately, because moving
   * all keys to a larger table at once would block the event loop.
   */
  readonly #tables: HashTable[] = [];
  #size = 0;
  #maxMoved = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the maximum number of keys that one call of `add` has moved to a larger table. */
  get maxMovedKeys(): number {
    return this.#maxMoved;
  }

  has(key: string): boolean {
    const hashed = hashKey(key);
    return this.#tables[getTableIndex(hashed)]?.has(hashed) ?? false;
  }

  add(key: string): void {
    const hashed = hashKey(key);
    const table = (this.#tables[getTableIndex(hashed)] ??= new HashTable());
    if (!table.insert(hashed)) return;
    this.#size += 1;
    if (table.growIfFull()) this.#maxMoved = Math.max(this.#maxMoved, table.size);
  }
}

/**
 * Implements a hash table with open addressing. A slot stores one hash in two words, and is free if both words are
 * zero.
 */
class HashTable {
  #slots = new Uint32Array(FIRST_CAPACITY * WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(hashed: HashedKey): boolean {
    return this.#slots[this.#findSlot(hashed)] === hashed.low;
  }

  /** Adds a hash. @returns false if the table already contained the hash */
  insert({ low, high }: HashedKey): boolean {
    const at = this.#findSlot({ low, high });
    if (this.#slots[at] !== 0) return false;
    this.#slots[at] = low;
    this.#slots[at + 1] = high;
    this.#size += 1;
    return true;
  }

  /** Doubles the table if more than half of its slots are used. @returns true if the table was doubled */
  growIfFull(): boolean {
    const earlier = this.#slots;
    if (this.#size * 2 * WORDS <= earlier.length) return false;
    this.#slots = new Uint32Array(earlier.length * 2);
    this.#size = 0;
    for (let at = 0; at < earlier.length; at += WORDS) {
      const [low = 0, high = 0] = [earlier[at], earlier[at + 1]];
      if (low !== 0) this.insert({ low, high });
    }
    return true;
  }

  /**
   * Returns the position of the slot that contains a hash. If there is none, returns the position of the free slot for
   * the hash.
   */
  #findSlot({ low, high }: HashedKey): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let at = (high * WORDS) & last;
    while (slots[at] !== 0 && (slots[at] !== low || slots[at + 1] !== high)) at = (at + WORDS) & last;
    return at;
  }
}

interface HashedKey {
  /** The lowest 32 bits of the hash. Never 0, because 0 marks a free slot. */
  readonly low: number;
  readonly high: number;
}

function hashKey(key: string): HashedKey {
  const bytes = digest('sha256', key, 'buffer');
  return { low: bytes.readUInt32LE(0) || 1, high: bytes.readUInt32LE(4) };
}

/**
 * Returns the index of the table that stores a hash: the highest 8 bits of `high`. Positions within a table use the
 * lowest bits of `high`.
 */
function getTableIndex({ high }: HashedKey): number {
  return high >>> 24;
}
