import type { ScannedPage } from './listing-scan.js';

const MAX_NAMED_IDS = 10;

/** Counts the items of one reading of a listing, and finds the ids that several items share. */
export class ItemCount {
  readonly #before: ReadonlySet<string>;
  readonly #keys = new Set<string>();
  readonly #sharedIds = new Set<string>();
  #sharing = 0;

  /** @param before document keys that the same reading has shown to an earlier process */
  constructor(before: ReadonlySet<string> = new Set()) {
    this.#before = before;
  }

  /**
   * An item that is modified while it is read moves to a later date, and is shown twice. So a second date of an id counts as a
   * second item only where it is older than the reading.
   *
   * @param begunAt a time by the listing's clock before the reading began
   */
  add({ fresh, doubles }: Pick<ScannedPage, 'fresh' | 'doubles'>, begunAt: string): void {
    for (const item of fresh) {
      if (!this.#keys.has(item.documentKey)) this.#keys.add(item.documentKey);
      else if (item.modified !== undefined && item.modified <= begunAt) this.#share(item.id);
    }
    for (const item of doubles) this.#share(item.id);
  }

  /** The document keys of the reading. */
  get keys(): ReadonlySet<string> {
    return this.#before.size === 0 ? this.#keys : new Set([...this.#before, ...this.#keys]);
  }

  /** Returns whether the reading has shown as many items as `total_count` says there are. */
  agreesWith(total: number): boolean {
    return total === this.keys.size || total === this.keys.size + this.#sharing;
  }

  /** Names the ids that several items share, for people; '' where each has its own. */
  describeSharedIds(): string {
    const ids = [...this.#sharedIds];
    if (ids.length === 0) return '';
    const named = ids.slice(0, MAX_NAMED_IDS).join(', ');
    const more = ids.length > MAX_NAMED_IDS ? ` and ${ids.length - MAX_NAMED_IDS} more` : '';
    return `One item is indexed for each id, but several items share these: ${named}${more}.`;
  }

  #share(id: string | undefined): void {
    this.#sharing += 1;
    if (id !== undefined) this.#sharedIds.add(id);
  }
}
