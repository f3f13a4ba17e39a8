import type { ExpectedDocument } from './expected-document.js';
import { findRandomWords } from './random.js';
import type { CampaignContext } from './managed-content.js';
import { Violation } from './violation.js';

/**
 * Maximum number of words per search. With more words, a text that contains only one of the words might not be among
 * the results.
 */
const WORDS_PER_SEARCH = 8;

/**
 * Searches for those of the documents that were deleted and that no request in progress can restore.
 *
 * @throws Violation if a search finds one of the documents
 */
export async function verifyDeletedDocumentsAreAbsent(
  { customer, datastoreId, retired }: CampaignContext,
  documents: readonly ExpectedDocument[],
): Promise<void> {
  const deleted = documents.filter((document) => document.isDeleted);
  const words = deleted.flatMap((document) => [...document.words].slice(-2));
  const found = await searchWordsInBatches(async (some) => customer.searchDatastore(datastoreId, some), words);
  // A request that started during the search may have restored a document, so `isDeleted` is read again.
  const resurrected = deleted.filter(
    (document) => document.isDeleted && found.some((word) => document.words.has(word)),
  );
  for (const { name } of resurrected) {
    throw new Violation(
      'resurrected',
      `${name}: expected to find nothing after its deletion, found ${found.join(', ')}`,
    );
  }
  for (const document of deleted) if (document.isDeleted) for (const word of document.words) retired.addWord(word);
}

/** Searches for words in batches of `WORDS_PER_SEARCH`. Returns each word once per occurrence in the found texts. */
export async function searchWordsInBatches(
  search: (words: readonly string[]) => Promise<readonly string[]>,
  words: readonly string[],
): Promise<readonly string[]> {
  const found = new Map<string, string[]>();
  for (let start = 0; start < words.length; start += WORDS_PER_SEARCH) {
    const some = words.slice(start, start + WORDS_PER_SEARCH);
    const texts = await search(some);
    for (const word of some) {
      found.set(
        word,
        texts.flatMap((text) => findRandomWords(text)).filter((one) => one === word),
      );
    }
  }
  return [...found.values()].flat();
}
