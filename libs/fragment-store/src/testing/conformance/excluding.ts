import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore } from '../../fragment-store.js';
import type { ExcludedContent } from '../../fragment-scope.js';
import { listTexts } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';

/** Asserts that a search finds no excluded content, and that excluded content displaces no results. */
export function describeExcluding(store: () => FragmentStore): void {
  /**
   * Writes a document of three fragments. All fragments of all documents have equal context and vectors, so that they
   * rank equally.
   */
  const writeDocument = (document: DocumentRef, name: string, generation = 1): Promise<void> => {
    const fragments = [1, 2, 3].map((part) =>
      createSampleFragment(`${name} ${String(part)}`, { context: 'osprey', vector: createSampleVector('osprey') }),
    );
    return store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [name], { generation, fragments }));
  };

  /** Returns the sorted first words of the texts that a lexical search or a dense search finds, without duplicates. */
  const findVisible = async (document: DocumentRef, excluded: ExcludedContent, limit = 100): Promise<string[]> => {
    const scope = createScope(document, { excluded });
    const byWords = listTexts(await store().searchLexical(SAMPLE_COLLECTION, scope, { text: 'osprey' }, limit));
    const byVector = listTexts(
      await store().searchDense(SAMPLE_COLLECTION, scope, createSampleVector('osprey'), limit),
    );
    expect(byVector).toHaveLength(byWords.length);
    return [...new Set([...byWords, ...byVector].map((text) => text.split(' ')[0] ?? ''))].sort();
  };

  const nothing: ExcludedContent = { datasourceIds: [], documents: [] };

  describe('content that is excluded from a search', () => {
    it('a search finds no content of an excluded datasource, and finds the content of other datasources', async () => {
      const stays = createSampleDocument();
      const goes = { ...stays, datasourceId: 'going', documentKey: 'goes' };
      await writeDocument(stays, 'stays');
      await writeDocument(goes, 'goes');
      expect(await findVisible(stays, nothing)).toEqual(['goes', 'stays']);
      expect(await findVisible(stays, { ...nothing, datasourceIds: ['going', 'unknown'] })).toEqual(['stays']);
      expect(await findVisible(stays, { ...nothing, datasourceIds: ['going', stays.datasourceId] })).toEqual([]);
    });

    it('a search that excludes a document up to a generation finds newer generations, and documents of other datastores', async () => {
      const document = createSampleDocument();
      const twin = { ...document, datastoreId: `${document.datastoreId}-other` };
      await writeDocument(document, 'old', 4);
      await writeDocument(twin, 'twin', 4);
      const excludeGenerationsUpTo = (generation: number): ExcludedContent => ({
        datasourceIds: [],
        documents: [
          { ...document, upTo: generation },
          { ...document, documentKey: 'unknown', upTo: generation },
        ],
      });
      expect(await findVisible(document, excludeGenerationsUpTo(3))).toEqual(['old']);
      expect(await findVisible(document, excludeGenerationsUpTo(4))).toEqual([]);
      expect(await findVisible(twin, excludeGenerationsUpTo(4))).toEqual(['twin']);
      await writeDocument(document, 'new', 5);
      expect(await findVisible(document, excludeGenerationsUpTo(4))).toEqual(['new']);
    });

    it('a search finds an excluded document if a run that is newer than the excluded generation has confirmed the document', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 'confirmed', 2);
      const { contentHash } = createSampleVersion(document, ['confirmed']);
      const excluded = { datasourceIds: [], documents: [{ ...document, upTo: 3 }] };
      expect(await findVisible(document, excluded)).toEqual([]);
      await store().confirmDocument(SAMPLE_COLLECTION, document, { generation: 4, contentHash });
      const scope = createScope(document, { excluded });
      expect(await store().searchLexical(SAMPLE_COLLECTION, scope, { text: 'osprey' }, 10)).toHaveLength(3);
      expect(await store().searchDense(SAMPLE_COLLECTION, scope, createSampleVector('osprey'), 10)).toHaveLength(3);
    });

    it('a search returns as many fragments as its limit even if many equally ranked fragments are excluded', async () => {
      const stays = createSampleDocument();
      await writeDocument(stays, 'stays');
      const excludedDocuments = Array.from({ length: 40 }, (_, at) => ({ ...stays, documentKey: `gone${String(at)}` }));
      const going = Array.from({ length: 10 }, (_, at) => ({
        ...stays,
        ...{ datasourceId: 'going', documentKey: `going${String(at)}` },
      }));
      await Promise.all(
        [...excludedDocuments, ...going].map((document) => writeDocument(document, document.documentKey)),
      );
      const excluded = {
        datasourceIds: ['going'],
        documents: excludedDocuments.map((document) => ({ ...document, upTo: 1 })),
      };
      for (const limit of [1, 3]) {
        const scope = createScope(stays, { excluded });
        const byWords = await store().searchLexical(SAMPLE_COLLECTION, scope, { text: 'osprey' }, limit);
        const byVector = await store().searchDense(SAMPLE_COLLECTION, scope, createSampleVector('osprey'), limit);
        for (const found of [byWords, byVector]) {
          expect(found).toHaveLength(limit);
          expect(new Set(found.map(({ documentKey }) => documentKey))).toEqual(new Set([stays.documentKey]));
        }
      }
    });

    it('a search can exclude a thousand documents and a thousand datasources', async () => {
      const stays = createSampleDocument();
      const goes = { ...stays, documentKey: 'document-999' };
      await writeDocument(stays, 'stays');
      await writeDocument(goes, 'goes');
      const names = Array.from({ length: 1_000 }, (_, at) => `document-${String(at)}`);
      const documents = names.map((documentKey) => ({ ...stays, documentKey, upTo: 1 }));
      expect(await findVisible(stays, { datasourceIds: names, documents })).toEqual(['stays']);
    });
  });
}
