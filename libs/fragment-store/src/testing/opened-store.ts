import type { FragmentStore, ScoredFragment } from '../fragment-store.js';

/** Describes a store that the conformance suite tests, and the operations that only its adapter can provide. */
export interface OpenedFragmentStore {
  readonly store: FragmentStore;
  /**
   * Runs operations concurrently, once for each possible interleaving of their steps. Absent: the suite starts the
   * operations in each order.
   *
   * @param attempt prepares the operations on a new document, for one interleaving
   */
  readonly runInterleaved?: (attempt: () => Promise<Attempt>) => Promise<void>;
  /**
   * Waits until the store has indexed all written fragments. Absent: each fragment is indexed when the promise of its
   * write resolves.
   */
  readonly waitUntilIndexed?: () => Promise<void>;
  /**
   * Maximum relative error of a lexical score. A store that returns no term frequencies cannot normalize the length of
   * a fragment exactly. Absent: scores are exact.
   */
  readonly scoreTolerance?: number;
  /** Closes the store and deletes its data. */
  readonly cleanup: () => Promise<void>;
}

/** Describes a store whose data remain after it is closed. */
export interface OpenedPersistentStore extends OpenedFragmentStore {
  /** Closes the store and opens another store on the same data. */
  readonly reopen: () => Promise<FragmentStore>;
  /** Opens another store on the same data, as another process does to search. The suite closes the returned store. */
  readonly openReader: () => Promise<FragmentStore>;
}

/** Describes operations that run concurrently. */
export interface Attempt {
  readonly operations: readonly ((store: FragmentStore) => Promise<void>)[];
  /** Throws an error if the operations left the store in an invalid state. */
  readonly check: () => Promise<void>;
}

export function listTexts(fragments: readonly ScoredFragment[]): string[] {
  return fragments.map((fragment) => fragment.text);
}
