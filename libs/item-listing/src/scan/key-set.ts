import { hash as digest } from 'node:crypto';

/** Describes the methods of a `Set` of document keys that a scan uses. */
export interface KeySet {
  readonly size: number;
  has(key: string): boolean;
  add(key: string): unknown;
}

const FIRST_CAPACITY = 1024;
/** Words of 32 bits per key. */
const WORDS = 2;

/**
 * Stores a hash of 64 bits of each key instead of the key, in at most 32 bytes per key. A `Set` of strings takes about 100. Among a
 * million keys, two have the same hash with a probability of 3 · 10⁻⁸. The set then has one key too few.
 */
export class HashedKeySet implements KeySet {
  /** An open hash table whose slots have two words. A slot of zeros is free. */
  #slots = new Uint32Array(FIRST_CAPACITY * WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    const hashed = hashKey(key);
    return this.#slots[this.#findSlot(hashed)] === hashed.low;
  }

  add(key: string): void {
    if (this.#insert(hashKey(key))) this.#size += 1;
    if (this.#size * 2 * WORDS > this.#slots.length) this.#grow();
  }

  #insert({ low, high }: HashedKey): boolean {
    const at = this.#findSlot({ low, high });
    if (this.#slots[at] !== 0) return false;
    this.#slots[at] = low;
    this.#slots[at + 1] = high;
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

  #grow(): void {
    const earlier = this.#slots;
    this.#slots = new Uint32Array(earlier.length * 2);
    for (let at = 0; at < earlier.length; at += WORDS) {
      const [low = 0, high = 0] = [earlier[at], earlier[at + 1]];
      if (low !== 0) this.#insert({ low, high });
    }
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
