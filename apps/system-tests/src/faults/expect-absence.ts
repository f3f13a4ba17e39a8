import type { ExpectedDocument } from './expected-document.js';
import { findRandomWords } from './random.js';
import type { Workplace } from './subjects.js';
import { Violation } from './violation.js';

/** Words per search. With more words, the results would be texts with many of them instead of each. */
const WORDS_PER_SEARCH = 8;

/**
 * Searches for documents whose deletion was acknowledged and that no request in progress can restore.
 *
 * @throws Violation when a search that starts now finds one
 */
export async function expectAbsence(
  { customer, datastoreId, retired }: Workplace,
  documents: readonly ExpectedDocument[],
): Promise<void> {
  const deleted = documents.filter((document) => document.isDeleted);
  const words = deleted.flatMap((document) => [...document.words].slice(-2));
  const found = await findWords(async (some) => customer.searchDatastore(datastoreId, some), words);
  // A request that started after this search may have restored a document.
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

/** Returns each word as often as a search finds it in a text. */
export async function findWords(
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
