/** Of the documents known before, this share at most is taken for gone at once. A listing or site that lacks more is held to be broken. */
const MOST_GONE = 0.3;

/** One document that is gone is believed whatever its share, but not that there is nothing left. */
export function isMassRemoval(gone: number, known: number): boolean {
  return gone > Math.max(1, known * MOST_GONE) || (gone > 0 && gone === known);
}
