import { hash as digest } from 'node:crypto';
import type { ClassifiedItems } from './page-checks.js';

const MAX_NAMED_IDS = 10;

/** Counts the items of one reading of a listing, and finds ids that several items share. */
export class ItemCount {
  readonly #keys: KeySet;
  readonly #sharedIds: Set<string>;
  #sharing: number;

  /**
   * @param keys an empty set, to which the document keys are added
   * @param before the counts of another process in the same reading
   */
  constructor(keys: KeySet, before?: { readonly sharing: number; readonly sharedIds: readonly string[] }) {
    this.#keys = keys;
    this.#sharing = before?.sharing ?? 0;
    this.#sharedIds = new Set(before?.sharedIds);
  }

  /**
   * Adds the items of a page. An item that is modified during the reading moves to a later date and appears twice. A second date
   * of an id therefore counts as a second item only if it is older than the reading.
   *
   * @param startedAt a time before the reading started, by the clock of the listing
   */
  addPage({ fresh, duplicates }: Pick<ClassifiedItems, 'fresh' | 'duplicates'>, startedAt: string): void {
    for (const item of fresh) {
      if (!this.#keys.has(item.documentKey)) this.#keys.add(item.documentKey);
      else if (item.modified !== undefined && item.modified < startedAt) this.#addSharedId(item.id);
    }
    for (const item of duplicates) this.#addSharedId(item.id);
  }

  /** Returns the number of different document keys that this process has read. */
  get size(): number {
    return this.#keys.size;
  }

  /** Returns the number of items that share their id with an earlier item. */
  get sharing(): number {
    return this.#sharing;
  }

  /** Returns some of the ids that several items share. */
  get sharedIds(): readonly string[] {
    return [...this.#sharedIds];
  }

  /** Describes the shared ids for users; returns '' when all ids are unique. */
  describeSharedIds(): string {
    if (this.#sharedIds.size === 0) return '';
    const isShortened = this.#sharedIds.size === MAX_NAMED_IDS;
    const ids = `${this.sharedIds.join(', ')}${isShortened ? ' and possibly others' : ''}`;
    return `One item is indexed for each id, but several items share these: ${ids}.`;
  }

  #addSharedId(id: string | undefined): void {
    this.#sharing += 1;
    if (id !== undefined && this.#sharedIds.size < MAX_NAMED_IDS) this.#sharedIds.add(id);
  }
}

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
