import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore, ScoredFragment } from '../../fragment-store.js';
import type { FragmentScope } from '../../fragment-scope.js';
import { listTexts } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';

const GENERATIONS = 40;
const READERS_OF_EACH_KIND = 3;
const MANY_DOCUMENTS = 200;

/** Asserts that searches find complete and current documents during concurrent writes and removals. */
export function describeConcurrency(store: () => FragmentStore): void {
  const writeDocument = (document: DocumentRef, generation: number): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, createTexts(generation), { generation }));

  const searchLexically = (scope: FragmentScope): Promise<readonly ScoredFragment[]> =>
    store().searchLexical(SAMPLE_COLLECTION, scope, { text: 'robin' }, 100);

  const searchDensely = (scope: FragmentScope): Promise<readonly ScoredFragment[]> =>
    store().searchDense(SAMPLE_COLLECTION, scope, createSampleVector('robin'), 100);

  describe('concurrent operations', () => {
    it('while a document is replaced repeatedly, each search finds exactly one complete version of the document', async () => {
      const documents = [createSampleDocument()];
      documents.push({ ...createSampleDocument(), organizationId: getOrganization(documents) });
      const scope = {
        organizationId: getOrganization(documents),
        datastoreIds: documents.map((document) => document.datastoreId),
      };
      const resolved = new Map(documents.map((document) => [document.documentKey, 1]));
      for (const document of documents) await writeDocument(document, 1);

      let writing = true;
      let searches = 0;
      const keepWriting = async (document: DocumentRef): Promise<void> => {
        for (let generation = 2; generation <= GENERATIONS; generation += 1) {
          await writeDocument(document, generation);
          resolved.set(document.documentKey, generation);
        }
      };
      const keepSearching = async (search: typeof searchLexically): Promise<void> => {
        while (writing) {
          const atLeast = new Map(resolved);
          const found = await search(scope);
          for (const { documentKey } of documents) {
            const texts = listTexts(found.filter((fragment) => fragment.documentKey === documentKey)).sort();
            const generation = Number(/generation(\d+)/.exec(texts[0] ?? '')?.[1]);
            expect(generation).toBeGreaterThanOrEqual(atLeast.get(documentKey) ?? 1);
            expect(texts).toEqual(createTexts(generation));
          }
          searches += 1;
        }
      };
      const reading = Promise.all(
        Array.from({ length: READERS_OF_EACH_KIND }, () => [
          keepSearching(searchLexically),
          keepSearching(searchDensely),
        ]).flat(),
      );
      // If a reader fails, the writers continue, and `await reading` below throws the error of the reader.
      reading.catch(() => undefined);
      try {
        await Promise.all(documents.map(keepWriting));
      } finally {
        writing = false;
      }
      await reading;
      expect(searches).toBeGreaterThan(READERS_OF_EACH_KIND * 2);
      for (const document of documents) {
        expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
          generation: GENERATIONS,
        });
      }
    });

    it('if many generations of a document are written concurrently, the store keeps only the newest generation', async () => {
      const document = createSampleDocument();
      await Promise.all([5, 2, 9, 1, 7, 10, 3, 8, 4, 6].map((generation) => writeDocument(document, generation)));
      for (const search of [searchLexically, searchDensely]) {
        expect(listTexts(await search(createScope(document))).sort()).toEqual(createTexts(10));
      }
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({ generation: 10 });
    });

    it('if many documents are written concurrently, searches find all of them', async () => {
      const tenant = createSampleDocument();
      const documents = Array.from({ length: MANY_DOCUMENTS }, (_, at) => ({
        ...tenant,
        documentKey: `d${String(at)}`,
      }));
      await Promise.all(
        documents.map((document) =>
          store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [`lark ${document.documentKey}`])),
        ),
      );
      const all = await store().searchLexical(
        SAMPLE_COLLECTION,
        createScope(tenant),
        { text: 'lark' },
        MANY_DOCUMENTS + 10,
      );
      expect(new Set(all.map((fragment) => fragment.documentKey)).size).toBe(MANY_DOCUMENTS);
      expect(all).toHaveLength(MANY_DOCUMENTS);
      const [last] = await store().searchLexical(SAMPLE_COLLECTION, createScope(tenant), { text: 'd199' }, 1);
      expect(last?.documentKey).toBe('d199');
    });

    it('if some documents are removed while other documents are written, later searches find all written documents and no removed document', async () => {
      const tenant = createSampleDocument();
      const retained = Array.from({ length: 20 }, (_, at) => ({ ...tenant, documentKey: `kept${String(at)}` }));
      const removed = Array.from({ length: 20 }, (_, at) => ({ ...tenant, documentKey: `gone${String(at)}` }));
      await Promise.all(removed.map((document) => writeDocument(document, 1)));
      await Promise.all([
        ...removed.map((document) => store().removeDocument(SAMPLE_COLLECTION, document, 1)),
        ...retained.map((document) => writeDocument(document, 1)),
      ]);
      const left = await store().searchDense(
        SAMPLE_COLLECTION,
        createScope(tenant),
        createSampleVector('robin'),
        1_000,
      );
      expect(new Set(left.map((fragment) => fragment.documentKey))).toEqual(
        new Set(retained.map((it) => it.documentKey)),
      );
      expect(left).toHaveLength(retained.length * createTexts(1).length);
    });
  });
}

function getOrganization([document]: readonly DocumentRef[]): string {
  return document?.organizationId ?? '';
}

/** Creates the sorted texts of a generation. Consecutive generations have different numbers of texts. */
function createTexts(generation: number): string[] {
  const size = 1 + ((generation * 7) % 12);
  return Array.from({ length: size }, (_, at) => `robin generation${String(generation)} part${String(at)}`).sort();
}
