import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore } from '../../fragment-store.js';
import { hasContentOfVersion } from '../../identity.js';
import { listTexts } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';

/** Asserts that a document is replaced as a whole, and never by an older generation. */
export function describeReplacing(store: () => FragmentStore): void {
  const writeDocument = (document: DocumentRef, generation: number, texts: readonly string[]): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts, { generation }));

  const listStored = async (document: DocumentRef): Promise<string[]> => {
    const byVector = await store().searchDense(
      SAMPLE_COLLECTION,
      createScope(document),
      createSampleVector('any'),
      100,
    );
    return listTexts(byVector).sort();
  };

  const searchTexts = async (document: DocumentRef, query: string): Promise<string[]> =>
    listTexts(await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: query }, 100)).sort();

  describe('replacing a document', () => {
    it('a document is replaced as a whole by a version with fewer or with more fragments', async () => {
      const document = createSampleDocument();
      for (const [at, size] of [3, 1, 6, 2, 2].entries()) {
        const generation = at + 1;
        const texts = Array.from({ length: size }, (_, n) => `swan g${String(generation)} n${String(n)}`);
        await writeDocument(document, generation, texts);
        expect(await listStored(document)).toEqual(texts);
        expect(await searchTexts(document, 'swan')).toEqual(texts);
        expect(await searchTexts(document, `g${String(generation - 1)}`)).toEqual([]);
        expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
          generation,
          fragments: size,
        });
      }
    });

    it('a document is unchanged after the same version was written a second time', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 4, ['swift one', 'swift two']);
      const before = await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'swift' }, 10);
      await writeDocument(document, 4, ['swift one', 'swift two']);
      const after = await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'swift' }, 10);
      expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
      expect(after).toHaveLength(2);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
        generation: 4,
        fragments: 2,
      });
    });

    it('if a repeated run writes a document twice in one generation, the document has the content that was written last', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 4, ['wren one', 'wren two', 'wren three']);
      await writeDocument(document, 4, ['wren other']);
      expect(await listStored(document)).toEqual(['wren other']);
    });

    it('a document is not replaced by an older generation', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 10, ['new crane']);
      await writeDocument(document, 9, ['old crane', 'older crane']);
      expect(await listStored(document)).toEqual(['new crane']);
      expect(await searchTexts(document, 'crane')).toEqual(['new crane']);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
        generation: 10,
        fragments: 1,
      });
    });

    it('a document that a newer run has confirmed is not replaced by an older run', async () => {
      const document = createSampleDocument();
      const written = createSampleVersion(document, ['heron one', 'heron two'], { generation: 4 });
      await store().replaceDocument(SAMPLE_COLLECTION, written);
      const searchWord = () => store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'heron' }, 10);
      const before = await searchWord();
      const confirmVersion = (generation: number): Promise<boolean> =>
        store().confirmDocument(SAMPLE_COLLECTION, document, { generation, contentHash: written.contentHash });

      expect(await confirmVersion(7)).toBe(true);
      expect(await confirmVersion(6)).toBe(true);
      await writeDocument(document, 5, ['an older heron']);
      expect((await searchWord()).map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
      const [version] = new Set(before.map((fragment) => fragment.version));
      expect((await searchWord()).map((fragment) => fragment.version)).toEqual([version, version]);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
        generation: 7,
        fragments: 2,
      });
      const isWritten = async (generation: number): Promise<boolean | undefined> => {
        const described = await store().readStoredDocument(SAMPLE_COLLECTION, document);
        return described && hasContentOfVersion(described, { ...written, generation });
      };
      expect([await isWritten(4), await isWritten(7)]).toEqual([true, false]);

      await writeDocument(document, 8, ['a newer heron']);
      expect(await listStored(document)).toEqual(['a newer heron']);
      const [newer] = await searchWord();
      expect(newer?.version).not.toBe(version);
      expect(newer?.generation).toBe(8);
    });

    it('confirmDocument returns false if the document does not exist or has another content hash', async () => {
      const document = createSampleDocument();
      const found = { generation: 9, contentHash: 'other' };
      expect(await store().confirmDocument(SAMPLE_COLLECTION, document, found)).toBe(false);
      await writeDocument(document, 4, ['egret']);
      expect(await store().confirmDocument(SAMPLE_COLLECTION, document, found)).toBe(false);
      await writeDocument(document, 5, ['other egret']);
      expect(await listStored(document)).toEqual(['other egret']);
    });

    it('if a document moves to another datasource of its datastore, the new version replaces the version of the old datasource', async () => {
      const document = createSampleDocument();
      const moved = { ...document, datasourceId: `${document.datasourceId}-other` };
      await writeDocument(document, 1, ['ibis here']);
      await writeDocument(moved, 2, ['ibis there']);
      expect(await listStored(document)).toEqual(['ibis there']);
      await store().removeDatasource(SAMPLE_COLLECTION, document);
      expect(await listStored(document)).toEqual(['ibis there']);
    });

    it('documents with the same key in two datastores are different documents', async () => {
      const document = createSampleDocument();
      const twin = { ...document, datastoreId: `${document.datastoreId}-other` };
      await writeDocument(document, 1, ['stork here']);
      await writeDocument(twin, 2, ['stork there']);
      expect(await listStored(document)).toEqual(['stork here']);
      expect(await listStored(twin)).toEqual(['stork there']);
    });
  });
}
