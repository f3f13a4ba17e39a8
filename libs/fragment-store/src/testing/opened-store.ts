import type { FragmentStore, ScoredFragment } from '../fragment-store.js';

/** A store that a conformance suite may fill, and what the suite can do to it. */
export interface OpenedFragmentStore {
  readonly store: FragmentStore;
  /** Closes the store and opens another on the same data. Absent where nothing outlives the store. */
  readonly reopen?: () => Promise<FragmentStore>;
  /** Opens a further store on the same data, as another process would to search it. The suite closes it. */
  readonly openReader?: () => Promise<FragmentStore>;
  /** Closes the store and removes what it left. */
  readonly cleanup: () => Promise<void>;
}

export function textsOf(fragments: readonly ScoredFragment[]): string[] {
  return fragments.map((fragment) => fragment.text);
}
