/**
 * Number of possible fingerprints of terms. It is much larger than the number of terms of most queries, so few other
 * terms share a fingerprint with a query term.
 */
const FINGERPRINTS = 1024;

/** Describes the occurrences of a query's terms in a fragment. */
export interface TermOccurrences {
  /** Maps each query term that occurs in the fragment to its number of occurrences. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms in the fragment. */
  readonly terms: number;
}

/** Counts the terms of a query in texts whose terms are separated by spaces. */
export class TermCounter {
  readonly #query: ReadonlyMap<string, number>;
  /** Contains 1 at the index that is the fingerprint of a term of the query, and 0 elsewhere. */
  readonly #fingerprints = new Uint8Array(FINGERPRINTS);

  constructor(query: ReadonlyMap<string, number>) {
    this.#query = query;
    for (const term of query.keys()) this.#fingerprints[computeFingerprint(term, 0, term.length)] = 1;
  }

  /**
   * Counts the query terms in a text, and all terms of the text, in one pass. Only terms with the fingerprint of a
   * query term are extracted from the text, because extracting takes most of the time.
   */
  countOccurrences(text: string): TermOccurrences {
    const counts = new Map<string, number>();
    let terms = 0;
    for (let start = 0; start <= text.length; terms += 1) {
      const space = text.indexOf(' ', start);
      const end = space === -1 ? text.length : space;
      if (this.#fingerprints[computeFingerprint(text, start, end)] === 1) {
        const term = text.slice(start, end);
        if (this.#query.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      start = end + 1;
    }
    return { counts, terms };
  }
}

/** Returns a number below `FINGERPRINTS` for the term from `start` to `end`. Equal terms have equal numbers. */
function computeFingerprint(text: string, start: number, end: number): number {
  return (text.charCodeAt(start) * 31 + end - start) % FINGERPRINTS;
}
