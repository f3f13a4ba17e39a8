import { isDeepStrictEqual } from 'node:util';
import type { SearchTarget } from './search-target.js';

/**
 * Maximum number of datastores whose search targets are stored. If there are more, the target that was stored least
 * recently is removed.
 */
const MAX_DATASTORES = 1_000;
/**
 * Maximum number of pending removals in a search target that is stored. A target with more removals is not stored,
 * because the next search likely reads a different target.
 */
const MAX_REMOVALS = 50;

interface RecentTarget {
  readonly target: SearchTarget;
  /** True if the two latest searches of the datastore read equal targets. */
  readonly isStable: boolean;
}

/** Contains the search targets that recent searches of this gateway have read from the database, by datastore. */
export class RecentSearchTargets {
  readonly #targets = new Map<string, RecentTarget>();

  /**
   * Returns the stored target of a datastore if its two latest searches read equal targets. Otherwise returns
   * undefined.
   */
  findStable(organizationId: string, datastoreId: string): SearchTarget | undefined {
    const { target, isStable = false } = this.#targets.get(datastoreId) ?? {};
    return isStable && target?.organizationId === organizationId ? target : undefined;
  }

  /** Stores the target that a search has read from the database, as the latest one of its datastore. */
  set(target: SearchTarget): void {
    const isStable = isDeepStrictEqual(this.#targets.get(target.id)?.target, target);
    this.#targets.delete(target.id);
    if (target.removals.length > MAX_REMOVALS) return;
    this.#targets.set(target.id, { target, isStable });
    const [oldest] = this.#targets.keys();
    if (this.#targets.size > MAX_DATASTORES && oldest !== undefined) this.#targets.delete(oldest);
  }

  delete(datastoreId: string): void {
    this.#targets.delete(datastoreId);
  }
}
