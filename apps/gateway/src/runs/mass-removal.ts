/** What a run has shown to be gone of a datasource, in numbers of documents. */
export interface Gone {
  readonly gone: number;
  /** How many the datasource had when the run began: `gone` is some of these. */
  readonly known: number;
  /** How many it has without them, new ones included. */
  readonly left: number;
}

/**
 * Whether a listing or site is held to be broken, because so much of it is gone at once: more than 30 % of the documents that
 * were known. One document is believed to be gone whatever its share, but not that there is nothing left.
 */
export function isMassRemoval({ gone, known, left }: Gone): boolean {
  if (gone === 0) return false;
  // In whole numbers: 30 % of 110 is a little more than 33 otherwise.
  return left === 0 || (gone > 1 && gone * 10 > known * 3);
}
