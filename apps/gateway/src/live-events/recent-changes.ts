/** A change of a datasource that a stream may have missed. */
export interface RecentChange {
  readonly id: string;
  /** The time of the change in the database, in milliseconds since 1970. */
  readonly at: number;
  /** The id of the datastore from which the datasource was removed. Null if the datasource was not removed. */
  readonly removedFrom: string | null;
}

/** Maximum number of datasources whose latest change is stored. */
const MAX_STORED = 10_000;
/** Maximum number of changes that `listSince` returns. */
const MAX_RESUMED = 1_000;
/**
 * Time span in milliseconds before the last received event whose changes are sent again. The order in which changes are
 * committed can differ slightly from the order of the times of their notifications.
 */
const OVERLAP_MS = 1_000;

/** Stores the latest change of each datasource, so that a stream can continue after an interruption. */
export class RecentChanges {
  readonly #changes = new Map<string, RecentChange>();
  #completeSince = Infinity;

  /**
   * Removes all stored changes. For times before `at`, `listSince` then returns undefined.
   *
   * @param at the time since which the gateway receives all changes, in milliseconds since 1970
   */
  restart(at: number): void {
    this.#changes.clear();
    this.#completeSince = at;
  }

  /** Stores a change. A removal is final, because late changes of a removed datasource can follow it. */
  add(change: RecentChange): void {
    const removedFrom = change.removedFrom ?? this.#changes.get(change.id)?.removedFrom ?? null;
    this.#changes.delete(change.id);
    this.#changes.set(change.id, { ...change, removedFrom });
    if (this.#changes.size <= MAX_STORED) return;
    for (const [id, { at }] of this.#changes) {
      this.#changes.delete(id);
      this.#completeSince = Math.max(this.#completeSince, at + 1 + OVERLAP_MS);
      return;
    }
  }

  /**
   * Returns the changes since an event, and the changes in the second before that event.
   *
   * @param at the id of the last event that the client received
   * @returns undefined if changes may be missing, or if there are more than `MAX_RESUMED` changes
   */
  listSince(at: number): readonly RecentChange[] | undefined {
    if (at < this.#completeSince) return undefined;
    const from = at - OVERLAP_MS;
    const found = [...this.#changes.values()].filter((change) => change.at >= from);
    return found.length > MAX_RESUMED ? undefined : found;
  }
}
