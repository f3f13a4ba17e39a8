import { beforeAll, describe, expect, it } from 'vitest';
import type { DocumentRef } from '../../fragment-store.js';
import type { OpenedFragmentStore } from '../opened-store.js';
import { SAMPLE_COLLECTION, createSampleDocument, createSampleVersion, createScope } from '../sample-documents.js';

const QUERIES = ['avocet', 'avocet dunlin', 'avocet dunlin whimbrel', 'whimbrel sandpiper'];
const OWN_TEXTS = [
  'The avocet wades.',
  'The avocet and the dunlin feed at low tide.',
  'The dunlin migrates in autumn.',
  'A whimbrel calls above the marsh.',
];
/**
 * Number of fragments that another organization stores: enough to change the scores if both organizations shared
 * statistics.
 */
const PLANTED_FRAGMENTS = 200;

/** Asserts that the scores of an organization do not depend on the fragments of another organization. */
export function describeTenantStatistics(opened: () => OpenedFragmentStore): void {
  describe('the scores of an organization', () => {
    const document = createSampleDocument();
    const other = createSampleDocument({ datastoreId: document.datastoreId });
    beforeAll(() => opened().store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, OWN_TEXTS)));

    /**
     * Waits until all written fragments are indexed. Returns, for each query, the texts that it finds and their scores.
     */
    const searchAll = async (): Promise<readonly (readonly [string, number])[][]> => {
      await opened().waitUntilIndexed?.();
      const results: (readonly [string, number])[][] = [];
      for (const query of QUERIES) {
        const found = await opened().store.searchLexical(SAMPLE_COLLECTION, createScope(document), { text: query }, 10);
        results.push(found.map(({ text, score }) => [text, score]));
      }
      return results;
    };

    const plantTexts = (documentKey: string, text: string): Promise<void> => {
      const planted: DocumentRef = { ...other, documentKey };
      const texts = Array.from({ length: PLANTED_FRAGMENTS }, (_, at) => `${text} ${String(at)}`);
      return opened().store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(planted, texts));
    };

    it('the scores of a search are equal when the search is repeated', async () => {
      const before = await searchAll();
      expect(before.map((found) => found.length)).toEqual([2, 3, 4, 1]);
      expect(await searchAll()).toEqual(before);
    });

    it.each([
      ['writes a word of the query', 'avocet'],
      ['writes all words of the query', 'avocet dunlin whimbrel sandpiper'],
      ['writes other words', 'plover'],
      ['writes long texts', 'a long text about the plover '.repeat(40)],
    ])('the scores of a search are equal before and after another organization %s', async (what, text) => {
      const before = await searchAll();
      await plantTexts(what, text);
      expect(await searchAll()).toEqual(before);
    });

    it('the scores of a search are equal before and after another organization removes its texts', async () => {
      await plantTexts('removed', 'dunlin');
      const before = await searchAll();
      await opened().store.removeDatasource(SAMPLE_COLLECTION, other);
      expect(await searchAll()).toEqual(before);
    });
  });
}
