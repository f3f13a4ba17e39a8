import { hashTerm } from './hash-term.js';

/**
 * Number of characters at the start of a document that form its head, for example the parties of a contract. The
 * fragment that contains the last of these characters belongs completely to the head.
 */
const HEAD_CHARACTERS = 700;

/** Minimum share that a profile stores for a term of the head, because the first lines describe the whole document. */
const HEAD_SHARE = 0.3;

/**
 * A profile contains a term only if at least this share of the document's fragments contain the term. Rarer terms do
 * not describe the document.
 */
const MIN_SHARE = 0.02;

/**
 * Maximum number of terms in a profile, with four bytes each. If a document has more terms, the terms with the smallest
 * shares are omitted.
 */
const MAX_TERMS = 2_048;

/** Number of low bits of a profile entry that hold the share of the term. The high bits hold the hash of the term. */
const SHARE_BITS = 6;
const MAX_LEVEL = 2 ** SHARE_BITS - 1;

/**
 * Holds, for each term of a document, the share of the document's fragments that contain the term. The high bits of an
 * entry are the hash of the term, and the low bits are the share. Entries are in ascending order.
 */
export type DocumentProfile = Uint32Array;

/** Builds the profile of a document. Requires the fragments in reading order, because the first ones form the head. */
export class DocumentProfileBuilder {
  readonly #counts = new Map<string, number>();
  readonly #head = new Set<string>();
  #fragments = 0;
  #characters = 0;

  /**
   * @param terms the terms of the fragment, as `extractTerms` returns them
   * @param characters length of the fragment's text
   */
  addFragment(terms: readonly string[], characters: number): void {
    const isHead = this.#characters < HEAD_CHARACTERS;
    this.#fragments += 1;
    this.#characters += characters;
    for (const term of new Set(terms)) {
      this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1);
      if (isHead) this.#head.add(term);
    }
  }

  /** Returns the profile as text, for storage. `decodeDocumentProfile` reads it. */
  encodeProfile(): string {
    const shares = Array.from(this.#counts, ([term, count]): readonly [string, number] => [
      term,
      Math.max(count / this.#fragments, this.#head.has(term) ? HEAD_SHARE : 0),
    ]);
    const largest = shares
      .filter(([, share]) => share >= MIN_SHARE)
      .sort(([, one], [, other]) => other - one)
      .slice(0, MAX_TERMS);
    return Buffer.from(packEntries(largest).buffer).toString('base64');
  }
}

/**
 * Returns a part of the profile of a document with one fragment: the entries of the given terms of this fragment. For a
 * search with these terms, this part replaces the stored profile.
 */
export function createProfileOfTerms(terms: Iterable<string>): DocumentProfile {
  return packEntries(Array.from(terms, (term) => [term, 1] as const));
}

/**
 * Decodes the result of `encodeProfile`. The entries have the byte order of the processor, which must be little-endian.
 */
export function decodeDocumentProfile(stored: string): DocumentProfile {
  const bytes = Buffer.from(stored, 'base64');
  return new Uint32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 4));
}

/**
 * Returns the share of a document's fragments that contain a term, in [0, 1]. Returns 0 for a term that is too rare for
 * the profile. Returns at least 0.3 for a term of the head (`HEAD_CHARACTERS`).
 */
export function getTermShare(profile: DocumentProfile, term: string): number {
  const key = hashToKey(term);
  let low = 0;
  let high = profile.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((profile[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  const entry = profile[low] ?? 0;
  return (entry & ~MAX_LEVEL) >>> 0 === key ? (entry & MAX_LEVEL) / MAX_LEVEL : 0;
}

function packEntries(shares: readonly (readonly [string, number])[]): Uint32Array {
  const levels = new Map<number, number>();
  for (const [term, share] of shares) {
    const key = hashToKey(term);
    levels.set(key, Math.max(levels.get(key) ?? 0, Math.ceil(share * MAX_LEVEL)));
  }
  return Uint32Array.from(levels, ([key, level]) => key + level).sort();
}

/**
 * Returns the profile entry of a term, without the share. The high bits are those of the term's hash, and the low bits
 * are 0.
 */
function hashToKey(term: string): number {
  return (hashTerm(term) & ~MAX_LEVEL) >>> 0;
}
