import type { ScoredFragment } from '@quarry/fragment-store';
import { getDocumentId } from '../../retrieval/document-id.js';

const WORD = /[\p{L}\p{N}]+/gu;
/** Number of words in each of the word sequences by which texts are compared. */
const SEQUENCE_LENGTH = 3;
/** Minimum number of words of a sentence that can be boilerplate. Short sentences are often equal by chance. */
const MIN_WORDS = 8;
/**
 * Minimum share of a sentence's word sequences that a document must contain, so that the document counts as containing
 * the sentence.
 */
const MIN_SHARED = 0.8;
/**
 * Minimum number of documents that must contain a sentence, in addition to its own, so that it counts as boilerplate.
 */
const MIN_DOCUMENTS = 2;

/** Returns whether a sentence of a fragment is boilerplate, such as a legal notice. */
export type BoilerplateDetector = (sentence: string, fragment: ScoredFragment) => boolean;

/**
 * Creates a function that detects sentences that several other documents contain nearly word for word. Figures count as
 * words, so a statement that other documents repeat with different figures is not boilerplate.
 *
 * @param fragments all fragments that the search found
 */
export function createBoilerplateDetector(fragments: readonly ScoredFragment[]): BoilerplateDetector {
  const documents = new Map<string, Set<string>>();
  for (const fragment of fragments) {
    const id = getDocumentId(fragment);
    const sequences = documents.get(id) ?? new Set<string>();
    documents.set(id, sequences);
    for (const sequence of listWordSequences(fragment.text)) sequences.add(sequence);
  }
  return (sentence, fragment) => {
    const ownId = getDocumentId(fragment);
    const sequences = listWordSequences(sentence);
    if (sequences.length < MIN_WORDS - SEQUENCE_LENGTH + 1) return false;
    const isSharedBy = ([id, theirs]: readonly [string, ReadonlySet<string>]): boolean =>
      id !== ownId && sequences.filter((one) => theirs.has(one)).length >= MIN_SHARED * sequences.length;
    return [...documents].filter(isSharedBy).length >= MIN_DOCUMENTS;
  };
}

function listWordSequences(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.slice(SEQUENCE_LENGTH - 1).map((_, at) => words.slice(at, at + SEQUENCE_LENGTH).join(' '));
}
