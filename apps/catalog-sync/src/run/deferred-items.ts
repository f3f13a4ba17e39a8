import { hash } from 'node:crypto';
import { type ListedItem, subtractMillisecond } from '@quarry/item-listing';

/** Maximum number of items that are recognized when they are read again, because a checkpoint has a maximum size. */
const MAX_RECOGNIZED = 1_000;
/** Number of characters of a hash in base64url: 66 bits. */
const HASH_LENGTH = 11;

/** Describes the deferred items in a checkpoint. */
export interface DeferredItemsCheckpoint {
  readonly heldAfter?: string;
  readonly deferred: number;
  readonly deferredKeys?: readonly string[];
}

/** Collects the items that a run defers to the next sync, because it has already recorded other versions of them. */
export class DeferredItems {
  readonly #keys: Set<string>;
  #count: number;
  #after: string | undefined;

  constructor(checkpoint: DeferredItemsCheckpoint | undefined) {
    this.#keys = new Set(checkpoint?.deferredKeys);
    this.#count = checkpoint?.deferred ?? 0;
    this.#after = checkpoint?.heldAfter;
  }

  /** Returns the number of different items. Items after the first `MAX_RECOGNIZED` count each time they are added. */
  get count(): number {
    return this.#count;
  }

  /** Returns the modification date after which the next sync must read to find all items; undefined without one. */
  get after(): string | undefined {
    return this.#after;
  }

  addItem({ documentKey, modified }: ListedItem): void {
    const key = hash('sha256', documentKey, 'base64url').slice(0, HASH_LENGTH);
    if (!this.#keys.has(key)) this.#count += 1;
    if (this.#keys.size < MAX_RECOGNIZED) this.#keys.add(key);
    if (modified === undefined) return;
    const before = subtractMillisecond(modified);
    if (this.#after === undefined || before < this.#after) this.#after = before;
  }

  toCheckpoint(): DeferredItemsCheckpoint {
    return {
      ...(this.#after === undefined ? {} : { heldAfter: this.#after }),
      deferred: this.#count,
      ...(this.#keys.size === 0 ? {} : { deferredKeys: [...this.#keys] }),
    };
  }
}
