/** Holds, for a sample of fragments, the number of fragments that contain each term. */
export interface TermCounts {
  /** Number of fragments from which the sample was taken. */
  readonly fragments: number;
  /** Number of fragments that were sampled to count the terms. */
  readonly sampled: number;
  /** Maps the index of a term to the number of sampled fragments that contain it. */
  readonly frequencies: ReadonlyMap<number, number>;
}

/** Holds the document frequencies of the terms in a sample of fragments, in six bytes per term. */
export class TermStatistics {
  /** Lists the indexes of the sampled terms in sparse vectors, in ascending order. */
  readonly #indices: Uint32Array;
  readonly #frequencies: Uint16Array;
  readonly #sampled: number;
  /** Number of fragments from which the sample was taken. */
  readonly fragments: number;

  /** @param counts the counts of a sample of at most 65,535 fragments */
  constructor({ fragments, sampled, frequencies }: TermCounts) {
    this.fragments = fragments;
    const sorted = [...frequencies].sort(([one], [other]) => one - other);
    this.#indices = Uint32Array.from(sorted, ([index]) => index);
    this.#frequencies = Uint16Array.from(sorted, ([, frequency]) => frequency);
    this.#sampled = sampled;
  }

  /** Size of the statistics in memory, in bytes. */
  get byteLength(): number {
    return this.#indices.byteLength + this.#frequencies.byteLength;
  }

  /**
   * Returns the inverse document frequency of the term with the given index. The formula is that of BM25 (Robertson and
   * Zaragoza 2009), with 1 added inside the logarithm so that the result is positive. The result is greatest for a term
   * that is not in the sample.
   */
  computeIdf(index: number): number {
    const frequency = this.#findFrequency(index);
    return Math.log(1 + (this.#sampled - frequency + 0.5) / (frequency + 0.5));
  }

  #findFrequency(index: number): number {
    let low = 0;
    let high = this.#indices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#indices[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return this.#indices[low] === index ? (this.#frequencies[low] ?? 0) : 0;
  }
}
