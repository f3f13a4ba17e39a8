import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore } from '../../fragment-store.js';
import type { FragmentScope } from '../../fragment-scope.js';
import { listTexts } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';

const AWKWARD_NAMES = [
  `O'Reilly "x"\\%_.pdf`,
  `'; DROP TABLE fragments; --`,
  `' OR '1'='1`,
  'a\u0000b',
  'line\nbreak\ttab',
  '${x} {{y}} `z`',
  '東京/資料 № 5?a=1&b=2#c',
  '👩‍👩‍👧 e\u0301',
  'null',
  ' ',
  'x'.repeat(2_000),
];

/** Asserts that a search finds only content of its scope, and that an organization has no access to another one. */
export function describeScope(store: () => FragmentStore): void {
  const writeDocument = (document: DocumentRef, text: string, customId: string | null = null): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [text], { customId }));

  /** Returns the texts that a search finds. Asserts that lexical and dense search find the same texts. */
  const searchTexts = async (scope: FragmentScope, query: string): Promise<string[]> => {
    const byWords = listTexts(await store().searchLexical(SAMPLE_COLLECTION, scope, { text: query }, 100)).sort();
    const byVector = listTexts(
      await store().searchDense(SAMPLE_COLLECTION, scope, createSampleVector(query), 100),
    ).sort();
    expect(byVector).toEqual(byWords);
    return byWords;
  };

  describe('the isolation of organizations', () => {
    it('a search never finds the content of another organization, even if all other ids are the same', async () => {
      const ours = createSampleDocument();
      const theirs = { ...ours, organizationId: `${ours.organizationId}-other` };
      await writeDocument(ours, 'secret falcon of ours', 'same');
      await writeDocument(theirs, 'secret falcon of theirs', 'same');
      for (const [document, text] of [
        [ours, 'secret falcon of ours'],
        [theirs, 'secret falcon of theirs'],
      ] as const) {
        expect(await searchTexts(createScope(document), 'secret falcon')).toEqual([text]);
        const narrowed = { datasourceIds: [document.datasourceId], customIds: ['same'] };
        expect(await searchTexts(createScope(document, narrowed), 'secret falcon')).toEqual([text]);
      }
    });

    it('a replacement or removal never changes the content of another organization', async () => {
      const ours = createSampleDocument();
      const theirs = { ...ours, organizationId: `${ours.organizationId}-other` };
      await writeDocument(theirs, 'kestrel of theirs');
      await store().replaceDocument(
        SAMPLE_COLLECTION,
        createSampleVersion(ours, ['kestrel of ours'], { generation: 9 }),
      );
      await store().removeDocument(SAMPLE_COLLECTION, ours, 9);
      await store().removeDatasource(SAMPLE_COLLECTION, ours);
      await store().removeDatastore(SAMPLE_COLLECTION, ours);
      expect(await searchTexts(createScope(theirs), 'kestrel')).toEqual(['kestrel of theirs']);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, theirs)).toMatchObject({
        generation: 1,
        fragments: 1,
      });
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, ours)).toBeUndefined();
    });
  });

  describe('the scope of a search', () => {
    it('a search finds only content that is in each of `datastoreIds`, `datasourceIds` and `customIds` of its scope', async () => {
      const a = createSampleDocument();
      const inSameSource = { ...a, documentKey: 'b' };
      const inOtherSource = { ...a, documentKey: 'c', datasourceId: 'other-source' };
      const inOtherStore = { ...a, documentKey: 'd', datastoreId: `${a.datastoreId}-other` };
      await writeDocument(a, 'owl a', 'custom-1');
      await writeDocument(inSameSource, 'owl b', 'custom-2');
      await writeDocument(inOtherSource, 'owl c', 'custom-1');
      await writeDocument(inOtherStore, 'owl d', 'custom-1');
      const both = [a.datastoreId, inOtherStore.datastoreId];

      expect(await searchTexts(createScope(a), 'owl')).toEqual(['owl a', 'owl b', 'owl c']);
      expect(await searchTexts(createScope(a, { datastoreIds: both }), 'owl')).toEqual([
        'owl a',
        'owl b',
        'owl c',
        'owl d',
      ]);
      expect(await searchTexts(createScope(a, { datasourceIds: [a.datasourceId] }), 'owl')).toEqual(['owl a', 'owl b']);
      expect(await searchTexts(createScope(a, { customIds: ['custom-1'] }), 'owl')).toEqual(['owl a', 'owl c']);
      expect(await searchTexts(createScope(a, { customIds: ['custom-1', 'custom-2'] }), 'owl')).toHaveLength(3);
      expect(
        await searchTexts(
          { ...createScope(a), datastoreIds: both, datasourceIds: [a.datasourceId], customIds: ['custom-1'] },
          'owl',
        ),
      ).toEqual(['owl a', 'owl d']);
    });

    it('a scope with a price range or stock statuses excludes documents with other values, and documents without values', async () => {
      const shop = createSampleDocument();
      const writeOffer = async (key: string, price: number | null, stockStatus: string | null): Promise<void> => {
        const version = createSampleVersion({ ...shop, documentKey: key }, [`swan ${key}`], {
          offer: { price, stockStatus },
        });
        await store().replaceDocument(SAMPLE_COLLECTION, version);
      };
      await writeOffer('free', 0, 'instock');
      await writeOffer('cheap', 9.99, 'outofstock');
      await writeOffer('dear', 1_250.5, 'instock');
      await writeOffer('unpriced', null, 'on "order"');
      await writeDocument({ ...shop, documentKey: 'manual' }, 'swan manual');
      const searchOffers = (parts: Partial<FragmentScope>) => searchTexts(createScope(shop, parts), 'swan');
      expect(await searchOffers({})).toHaveLength(5);
      expect(await searchOffers({ price: { min: 0, max: 9.99 } })).toEqual(['swan cheap', 'swan free']);
      expect(await searchOffers({ price: { min: 9.99 } })).toEqual(['swan cheap', 'swan dear']);
      expect(await searchOffers({ price: { max: 9.98 } })).toEqual(['swan free']);
      expect(await searchOffers({ price: {} })).toEqual(['swan cheap', 'swan dear', 'swan free']);
      expect(await searchOffers({ price: { min: 10, max: 5 } })).toEqual([]);
      expect(await searchOffers({ stockStatuses: ['instock'] })).toEqual(['swan dear', 'swan free']);
      expect(await searchOffers({ stockStatuses: ['outofstock', 'on "order"'] })).toEqual([
        'swan cheap',
        'swan unpriced',
      ]);
      expect(await searchOffers({ stockStatuses: [] })).toEqual([]);
      expect(await searchOffers({ price: { min: 1 }, stockStatuses: ['instock'] })).toEqual(['swan dear']);
      await store().replaceDocument(
        SAMPLE_COLLECTION,
        createSampleVersion({ ...shop, documentKey: 'dear' }, ['swan dear', 'swan again'], {
          ...{ generation: 2, offer: { price: 5, stockStatus: null } },
        }),
      );
      expect(await searchOffers({ price: { max: 5 } })).toEqual(['swan again', 'swan dear', 'swan free']);
      expect(await searchOffers({ stockStatuses: ['instock'] })).toEqual(['swan free']);
    });

    it('a search finds nothing if a list of its scope is empty or contains only an unknown id', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 'rook', 'custom');
      const scopes: Partial<FragmentScope>[] = [
        { datastoreIds: [] },
        { datasourceIds: [] },
        { customIds: [] },
        { datastoreIds: [], datasourceIds: [document.datasourceId] },
        { datastoreIds: ['unknown'] },
        { datasourceIds: ['unknown'] },
        { customIds: ['unknown'] },
        { organizationId: 'unknown' },
        { organizationId: '' },
      ];
      for (const parts of scopes) expect(await searchTexts(createScope(document, parts), 'rook')).toEqual([]);
    });

    it('a search with `customIds` in its scope never finds a document without a custom id', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 'jay');
      for (const customId of ['', 'null', 'undefined']) {
        expect(await searchTexts(createScope(document, { customIds: [customId] }), 'jay')).toEqual([]);
      }
    });

    it('a scope accepts thousands of ids', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 'finch', 'custom-1999');
      const customIds = Array.from({ length: 2_000 }, (_, at) => `custom-${String(at)}`);
      expect(await searchTexts(createScope(document, { customIds }), 'finch')).toEqual(['finch']);
    });
  });

  describe('ids', () => {
    it.each(AWKWARD_NAMES)('ids can contain any characters, such as %j', async (name) => {
      const document = createSampleDocument();
      const awkward = {
        organizationId: `${document.organizationId}${name}`,
        datastoreId: name,
        datasourceId: name,
        documentKey: name,
      };
      await writeDocument(awkward, 'magpie', name);
      await writeDocument(document, 'magpie');
      const scope = createScope(awkward, { datasourceIds: [name], customIds: [name] });
      expect(await searchTexts(scope, 'magpie')).toEqual(['magpie']);
      const [fragment] = await store().searchLexical(SAMPLE_COLLECTION, scope, { text: 'magpie' }, 10);
      expect(fragment).toMatchObject({ datastoreId: name, datasourceId: name, documentKey: name, customId: name });
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, awkward)).toMatchObject({ fragments: 1 });
      await store().removeDocument(SAMPLE_COLLECTION, awkward, 1);
      expect(await searchTexts(scope, 'magpie')).toEqual([]);
      expect(await searchTexts(createScope(document), 'magpie')).toEqual(['magpie']);
    });
  });
}
