import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FragmentStore } from '../fragment-store.js';
import { describeConcurrency } from './conformance/concurrency.js';
import { describeDocumentLanguages } from './conformance/document-languages.js';
import { describeExcluding } from './conformance/excluding.js';
import { describeLexicalScores } from './conformance/lexical-scores.js';
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
import { listTexts, type OpenedFragmentStore, type OpenedPersistentStore } from './opened-store.js';
import { SAMPLE_COLLECTION, createSampleDocument, createSampleVersion, createScope } from './sample-documents.js';

const TIME_LIMIT_MS = 120_000;

/** Asserts every guarantee of `FragmentStore` for a store in memory. */
export function describeFragmentStore(name: string, open: () => Promise<OpenedFragmentStore>): void {
  describeWithStore(name, open, testStore);
}

/**
 * Asserts every guarantee of `FragmentStore` for a persistent store. Each adapter runs this suite against its real
 * backend.
 */
export function describePersistentFragmentStore(name: string, open: () => Promise<OpenedPersistentStore>): void {
  describeWithStore(name, open, (getOpened) => {
    testStore(getOpened);
    testPersistence(getOpened);
  });
}

function describeWithStore<Opened extends OpenedFragmentStore>(
  name: string,
  open: () => Promise<Opened>,
  defineTests: (getOpened: () => Opened) => void,
): void {
  describe(name, { timeout: TIME_LIMIT_MS }, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    }, TIME_LIMIT_MS);
    afterAll(() => opened.cleanup(), TIME_LIMIT_MS);
    defineTests(() => opened);
  });
}

function testStore(getOpened: () => OpenedFragmentStore): void {
  const getStore = (): FragmentStore => getOpened().store;
  // This suite runs first, because its many searches would be slower with the content of the other suites.
  describeOverlapping(getOpened);
  describeReading(getStore);
  describeReplacing(getStore);
  describeScope(getStore);
  describeMetadata(getOpened);
  describeQuerySyntax(getStore);
  describeDocumentRank(getStore);
  describeMultilingualSearch(getStore);
  describeDocumentLanguages(getStore);
  describeRemoving(getStore);
  describeExcluding(getStore);
  describeListing(getStore);
  describeTenantStatistics(getOpened);
  describeLexicalScores(getOpened);
  describeConcurrency(getStore);

  it('the store responds to a ping', async () => {
    await expect(getStore().ping()).resolves.toBeUndefined();
  });
}

function testPersistence(getOpened: () => OpenedPersistentStore): void {
  it('as soon as a write is resolved, another store that is open on the same data finds the written fragments', async () => {
    const { store, openReader } = getOpened();
    const reader = await openReader();
    try {
      const document = createSampleDocument();
      for (const generation of [1, 2, 3]) {
        const text = `pelican generation${String(generation)}`;
        await store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [text], { generation }));
        const found = await reader.searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'pelican' }, 10);
        expect(listTexts(found)).toEqual([text]);
      }
    } finally {
      await reader.close();
    }
  });

  // This test runs last, because it closes the store.
  it('a store finds all stored content after it was closed and opened again', async () => {
    const { store, reopen } = getOpened();
    const document = createSampleDocument();
    const version = createSampleVersion(document, ['puffin one', 'puffin two']);
    await store.replaceDocument(SAMPLE_COLLECTION, version);
    const reopened = await reopen();
    const found = await reopened.searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'puffin' }, 10);
    expect(listTexts(found).sort()).toEqual(['puffin one', 'puffin two']);
    expect(await reopened.readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
      generation: 1,
      fragments: 2,
    });
  });
}
