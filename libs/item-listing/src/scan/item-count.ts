import type { PlacedItems } from './places.js';

const MAX_NAMED_IDS = 10;

/** Counts the items of one reading of a listing, and finds the ids that several items share. */
export class ItemCount {
  readonly #keys = new Set<string>();
  readonly #sharedIds: Set<string>;
  #sharing: number;

  /** @param before what another process has found in the same reading */
  constructor(before?: { readonly sharing: number; readonly sharedIds: readonly string[] }) {
    this.#sharing = before?.sharing ?? 0;
    this.#sharedIds = new Set(before?.sharedIds);
  }

  /**
   * An item that is modified while it is read moves to a later date, and is shown twice. So a second date of an id counts as a
   * second item only where it is older than the reading.
   *
   * @param begunAt a time by the listing's clock before the reading began
   */
  add({ fresh, doubles }: Pick<PlacedItems, 'fresh' | 'doubles'>, begunAt: string): void {
    for (const item of fresh) {
      if (!this.#keys.has(item.documentKey)) this.#keys.add(item.documentKey);
      else if (item.modified !== undefined && item.modified < begunAt) this.#share(item.id);
    }
    for (const item of doubles) this.#share(item.id);
  }

  /** The document keys that this process has read. */
  get keys(): ReadonlySet<string> {
    return this.#keys;
  }

  /** How many items share their id with an earlier one. */
  get sharing(): number {
    return this.#sharing;
  }

  /** Some of the ids that several items share. */
  get sharedIds(): readonly string[] {
    return [...this.#sharedIds];
  }

  /** Describes the shared ids for people; '' where each item has its own. */
  describeSharedIds(): string {
    if (this.#sharedIds.size === 0) return '';
    const isShortened = this.#sharedIds.size === MAX_NAMED_IDS;
    const named = `${this.sharedIds.join(', ')}${isShortened ? ' and maybe others' : ''}`;
    return `One item is indexed for each id, but several items share these: ${named}.`;
  }

  #share(id: string | undefined): void {
    this.#sharing += 1;
    if (id !== undefined && this.#sharedIds.size < MAX_NAMED_IDS) this.#sharedIds.add(id);
  }
}
