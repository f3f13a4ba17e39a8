import { createRunNote, type RunNote } from '@quarry/contracts';
import type { KeySet } from './hashed-key-set.js';
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

  /** Describes the shared ids for users. Returns undefined when all ids are unique. */
  describeSharedIds(): RunNote | undefined {
    if (this.#sharedIds.size === 0) return undefined;
    const isShortened = this.#sharedIds.size === MAX_NAMED_IDS;
    const ids = this.sharedIds.join(', ');
    const message = `One item is indexed for each id, but several items share these: ${ids}${isShortened ? ' and possibly others' : ''}.`;
    return createRunNote('ids_shared', { ids, more: isShortened ? 1 : 0 }, message);
  }

  #addSharedId(id: string | undefined): void {
    this.#sharing += 1;
    if (id !== undefined && this.#sharedIds.size < MAX_NAMED_IDS) this.#sharedIds.add(id);
  }
}
