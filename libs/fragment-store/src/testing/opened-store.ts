import type { FragmentStore, ScoredFragment } from '../fragment-store.js';

/** A store that a conformance suite may fill, and what the suite can do to it. */
export interface OpenedFragmentStore {
  readonly store: FragmentStore;
  /** Closes the store and opens another on the same data. Absent where nothing outlives the store. */
  readonly reopen?: () => Promise<FragmentStore>;
  /** Opens a further store on the same data, as another process would to search it. The suite closes it. */
  readonly openReader?: () => Promise<FragmentStore>;
  /**
   * Runs operations at the same time, once for each order in which their single steps can follow each other. Absent: the
   * suite starts them in each order.
   *
   * @param attempt prepares the operations on a document of their own, for one of the orders
   */
  readonly overlap?: (attempt: () => Promise<Attempt>) => Promise<void>;
  /** Closes the store and removes what it left. */
  readonly cleanup: () => Promise<void>;
}

/** Operations to be run at the same time. */
export interface Attempt {
  readonly operations: readonly ((store: FragmentStore) => Promise<void>)[];
  /** Fails where they left what they must not leave. */
  readonly check: () => Promise<void>;
}

export function textsOf(fragments: readonly ScoredFragment[]): string[] {
  return fragments.map((fragment) => fragment.text);
}
