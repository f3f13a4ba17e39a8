/** BM25 parameter that controls how slowly the weight of a repeated term approaches its maximum. */
const K1 = 1.2;
/** BM25 parameter that controls how much the length of a fragment reduces the weights of its terms. */
const B = 0.75;

/**
 * Number of terms in a fragment of typical length, with which all stores compare the actual length of a fragment. The
 * number is constant, so that stored weights stay valid when fragments are added, and so that all stores rank equally.
 */
export const REFERENCE_TERMS = 256;

/**
 * Returns the weight of a term in a fragment by BM25, without the inverse document frequency (Robertson and Zaragoza
 * 2009).
 *
 * @param count number of occurrences in the fragment
 * @param terms number of terms in the fragment
 * @param referenceTerms number of terms in a fragment of typical length
 */
export function computeTermWeight(count: number, terms: number, referenceTerms: number = REFERENCE_TERMS): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * terms) / referenceTerms));
}
