import { hash as digest } from 'node:crypto';

/** Describes the methods of a `Set` of document keys that a scan uses. */
export interface KeySet {
  readonly size: number;
  has(key: string): boolean;
  add(key: string): unknown;
}

const FIRST_CAPACITY = 8;
/** Words of 32 bits per key. */
const WORDS = 2;

/**
 * Stores a hash of 64 bits of each key instead of the key, in at most 32 bytes per key. A `Set` of strings takes about 100. Among a
 * million keys, two have the same hash with a probability of 3 · 10⁻⁸. The set then has one key too few.
 */
export class HashedKeySet implements KeySet {
  /** At most 256 tables, by the highest bits of the hash. Each grows alone: moving all keys at once would block the event loop. */
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
    return this.#tables[selectTable(hashed)]?.has(hashed) ?? false;
  }

  add(key: string): void {
    const hashed = hashKey(key);
    const table = (this.#tables[selectTable(hashed)] ??= new HashTable());
    if (!table.insert(hashed)) return;
    this.#size += 1;
    if (table.growIfFull()) this.#maxMoved = Math.max(this.#maxMoved, table.size);
  }
}

/** An open hash table whose slots have two words. A slot of zeros is free. */
class HashTable {
  #slots = new Uint32Array(FIRST_CAPACITY * WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(hashed: HashedKey): boolean {
    return this.#slots[this.#findSlot(hashed)] === hashed.low;
  }

  /** Returns false if the table already contains the hash. */
  insert({ low, high }: HashedKey): boolean {
    const at = this.#findSlot({ low, high });
    if (this.#slots[at] !== 0) return false;
    this.#slots[at] = low;
    this.#slots[at + 1] = high;
    this.#size += 1;
    return true;
  }

  /** Doubles the table if more than half of its slots are used. @returns true if its hashes moved */
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

  /** Returns the position of a hash, or of the free slot in which it belongs. */
  #findSlot({ low, high }: HashedKey): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let at = (high * WORDS) & last;
    while (slots[at] !== 0 && (slots[at] !== low || slots[at + 1] !== high)) at = (at + WORDS) & last;
    return at;
  }
}

interface HashedKey {
  /** Never 0. */
  readonly low: number;
  readonly high: number;
}

function hashKey(key: string): HashedKey {
  const bytes = digest('sha256', key, 'buffer');
  return { low: bytes.readUInt32LE(0) || 1, high: bytes.readUInt32LE(4) };
}

/** Returns the number of the table of a hash, from its highest bits. The position within the table uses the lowest. */
function selectTable({ high }: HashedKey): number {
  return high >>> 24;
}
