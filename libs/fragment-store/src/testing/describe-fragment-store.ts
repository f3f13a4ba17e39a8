import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FragmentStore } from '../fragment-store.js';
import { describeConcurrency } from './conformance/concurrency.js';
import { describeDocumentLanguages } from './conformance/document-languages.js';
import { describeExcluding } from './conformance/excluding.js';
import { describeListing } from './conformance/listing.js';
import { describeOverlapping } from './conformance/overlapping.js';
import { describeMetadata } from './conformance/metadata.js';
import { describeMultilingualSearch } from './conformance/multilingual-search.js';
import { describeQuerySyntax } from './conformance/query-syntax.js';
import { describeDocumentRank } from './conformance/document-rank.js';
import { describeReading } from './conformance/reading.js';
import { describeRemoving } from './conformance/removing.js';
import { describeReplacing } from './conformance/replacing.js';
import { describeScope } from './conformance/scope.js';
import { describeTenantStatistics } from './conformance/tenant-statistics.js';
import { listTexts, type OpenedFragmentStore } from './opened-store.js';
import { SAMPLE_COLLECTION, sampleDocument, createSampleVersion, createScope } from './sample-documents.js';

const TIME_LIMIT_MS = 120_000;

/** Asserts every guarantee of the port. Each adapter runs it against its real backend. */
export function describeFragmentStore(name: string, open: () => Promise<OpenedFragmentStore>): void {
  describe(name, { timeout: TIME_LIMIT_MS }, () => {
    let opened: OpenedFragmentStore;
    beforeAll(async () => {
      opened = await open();
    }, TIME_LIMIT_MS);
    afterAll(() => opened.cleanup(), TIME_LIMIT_MS);

    const getStore = (): FragmentStore => opened.store;
    // Runs first, because its many searches would be slower with the content of the other tests.
    describeOverlapping(() => opened);
    describeReading(getStore);
    describeReplacing(getStore);
    describeScope(getStore);
    describeMetadata(() => opened);
    describeQuerySyntax(getStore);
    describeDocumentRank(getStore);
    describeMultilingualSearch(getStore);
    describeDocumentLanguages(getStore);
    describeRemoving(getStore);
    describeExcluding(getStore);
    describeListing(getStore);
    describeTenantStatistics(() => opened);
    describeConcurrency(getStore);

    it('responds to a ping', async () => {
      await expect(getStore().ping()).resolves.toBeUndefined();
    });

    it('every resolved write is visible at once to another store on the same data', async ({ skip }) => {
      if (opened.openReader === undefined) return skip('this store is not persistent');
      const reader = await opened.openReader();
      try {
        const document = sampleDocument();
        for (const generation of [1, 2, 3]) {
          const text = `pelican generation${String(generation)}`;
          await getStore().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [text], { generation }));
          const found = await reader.searchLexical(SAMPLE_COLLECTION, createScope(document), 'pelican', 10);
          expect(listTexts(found)).toEqual([text]);
        }
      } finally {
        await reader.close();
      }
    });

    it('finds all stored content after it was reopened', async ({ skip }) => {
      if (opened.reopen === undefined) return skip('this store is not persistent');
      const document = sampleDocument();
      const version = createSampleVersion(document, ['puffin one', 'puffin two']);
      await getStore().replaceDocument(SAMPLE_COLLECTION, version);
      opened = { ...opened, store: await opened.reopen() };
      const found = await getStore().searchLexical(SAMPLE_COLLECTION, createScope(document), 'puffin', 10);
      expect(listTexts(found).sort()).toEqual(['puffin one', 'puffin two']);
      expect(await getStore().describeDocument(SAMPLE_COLLECTION, document)).toMatchObject({
        generation: 1,
        fragments: 2,
      });
    });
  });
}
