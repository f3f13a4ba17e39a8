import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentScope, FragmentStore } from '../../fragment-store.js';
import { textsOf } from '../opened-store.js';
import { SAMPLE_COLLECTION, sampleDocument, sampleVector, sampleVersion, scopeOf } from '../sample-documents.js';

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

export function describeScope(store: () => FragmentStore): void {
  const write = (document: DocumentRef, text: string, customId: string | null = null): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, sampleVersion(document, [text], { customId }));

  /** Returns the results of both searches. They request all matches, so they must agree. */
  const seen = async (scope: FragmentScope, query: string): Promise<string[]> => {
    const byWords = textsOf(await store().searchLexical(SAMPLE_COLLECTION, scope, query, 100)).sort();
    const byVector = textsOf(await store().searchDense(SAMPLE_COLLECTION, scope, sampleVector(query), 100)).sort();
    expect(byVector).toEqual(byWords);
    return byWords;
  };

  describe('an organization', () => {
    it('never finds the content of another organization, even under the same ids', async () => {
      const ours = sampleDocument();
      const theirs = { ...ours, organizationId: `${ours.organizationId}-other` };
      await write(ours, 'secret falcon of ours', 'same');
      await write(theirs, 'secret falcon of theirs', 'same');
      for (const [document, text] of [
        [ours, 'secret falcon of ours'],
        [theirs, 'secret falcon of theirs'],
      ] as const) {
        expect(await seen(scopeOf(document), 'secret falcon')).toEqual([text]);
        const narrowed = { datasourceIds: [document.datasourceId], customIds: ['same'] };
        expect(await seen(scopeOf(document, narrowed), 'secret falcon')).toEqual([text]);
      }
    });

    it('never changes the content of another organization, by replacing or by removing', async () => {
      const ours = sampleDocument();
      const theirs = { ...ours, organizationId: `${ours.organizationId}-other` };
      await write(theirs, 'kestrel of theirs');
      await store().replaceDocument(SAMPLE_COLLECTION, sampleVersion(ours, ['kestrel of ours'], { generation: 9 }));
      await store().removeDocument(SAMPLE_COLLECTION, ours, 9);
      await store().removeDatasource(SAMPLE_COLLECTION, ours);
      await store().removeDatastore(SAMPLE_COLLECTION, ours);
      expect(await seen(scopeOf(theirs), 'kestrel')).toEqual(['kestrel of theirs']);
      expect(await store().describeDocument(SAMPLE_COLLECTION, theirs)).toMatchObject({ generation: 1, fragments: 1 });
      expect(await store().describeDocument(SAMPLE_COLLECTION, ours)).toBeUndefined();
    });
  });

  describe('a scope', () => {
    it('is filtered by each of its lists, and by all of them together', async () => {
      const a = sampleDocument();
      const inSameSource = { ...a, documentKey: 'b' };
      const inOtherSource = { ...a, documentKey: 'c', datasourceId: 'other-source' };
      const inOtherStore = { ...a, documentKey: 'd', datastoreId: `${a.datastoreId}-other` };
      await write(a, 'owl a', 'custom-1');
      await write(inSameSource, 'owl b', 'custom-2');
      await write(inOtherSource, 'owl c', 'custom-1');
      await write(inOtherStore, 'owl d', 'custom-1');
      const both = [a.datastoreId, inOtherStore.datastoreId];

      expect(await seen(scopeOf(a), 'owl')).toEqual(['owl a', 'owl b', 'owl c']);
      expect(await seen(scopeOf(a, { datastoreIds: both }), 'owl')).toEqual(['owl a', 'owl b', 'owl c', 'owl d']);
      expect(await seen(scopeOf(a, { datasourceIds: [a.datasourceId] }), 'owl')).toEqual(['owl a', 'owl b']);
      expect(await seen(scopeOf(a, { customIds: ['custom-1'] }), 'owl')).toEqual(['owl a', 'owl c']);
      expect(await seen(scopeOf(a, { customIds: ['custom-1', 'custom-2'] }), 'owl')).toHaveLength(3);
      expect(
        await seen(
          { ...scopeOf(a), datastoreIds: both, datasourceIds: [a.datasourceId], customIds: ['custom-1'] },
          'owl',
        ),
      ).toEqual(['owl a', 'owl d']);
    });

    it('is filtered by price and by stock status, and excludes documents without them', async () => {
      const shop = sampleDocument();
      const offer = async (key: string, price: number | null, stockStatus: string | null): Promise<void> => {
        const version = sampleVersion({ ...shop, documentKey: key }, [`swan ${key}`], {
          offer: { price, stockStatus },
        });
        await store().replaceDocument(SAMPLE_COLLECTION, version);
      };
      await offer('free', 0, 'instock');
      await offer('cheap', 9.99, 'outofstock');
      await offer('dear', 1_250.5, 'instock');
      await offer('unpriced', null, 'on "order"');
      await write({ ...shop, documentKey: 'manual' }, 'swan manual');
      const passing = (parts: Partial<FragmentScope>) => seen(scopeOf(shop, parts), 'swan');
      expect(await passing({})).toHaveLength(5);
      expect(await passing({ price: { min: 0, max: 9.99 } })).toEqual(['swan cheap', 'swan free']);
      expect(await passing({ price: { min: 9.99 } })).toEqual(['swan cheap', 'swan dear']);
      expect(await passing({ price: { max: 9.98 } })).toEqual(['swan free']);
      expect(await passing({ price: {} })).toEqual(['swan cheap', 'swan dear', 'swan free']);
      expect(await passing({ price: { min: 10, max: 5 } })).toEqual([]);
      expect(await passing({ stockStatuses: ['instock'] })).toEqual(['swan dear', 'swan free']);
      expect(await passing({ stockStatuses: ['outofstock', 'on "order"'] })).toEqual(['swan cheap', 'swan unpriced']);
      expect(await passing({ stockStatuses: [] })).toEqual([]);
      expect(await passing({ price: { min: 1 }, stockStatuses: ['instock'] })).toEqual(['swan dear']);
      await store().replaceDocument(
        SAMPLE_COLLECTION,
        sampleVersion({ ...shop, documentKey: 'dear' }, ['swan dear', 'swan again'], {
          ...{ generation: 2, offer: { price: 5, stockStatus: null } },
        }),
      );
      expect(await passing({ price: { max: 5 } })).toEqual(['swan again', 'swan dear', 'swan free']);
      expect(await passing({ stockStatuses: ['instock'] })).toEqual(['swan free']);
    });

    it('matches nothing with an empty list or an unknown id', async () => {
      const document = sampleDocument();
      await write(document, 'rook', 'custom');
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
      for (const parts of scopes) expect(await seen(scopeOf(document, parts), 'rook')).toEqual([]);
    });

    it('does not match a document without custom id by any custom id', async () => {
      const document = sampleDocument();
      await write(document, 'jay');
      for (const customId of ['', 'null', 'undefined']) {
        expect(await seen(scopeOf(document, { customIds: [customId] }), 'jay')).toEqual([]);
      }
    });

    it('accepts thousands of ids', async () => {
      const document = sampleDocument();
      await write(document, 'finch', 'custom-1999');
      const customIds = Array.from({ length: 2_000 }, (_, at) => `custom-${String(at)}`);
      expect(await seen(scopeOf(document, { customIds }), 'finch')).toEqual(['finch']);
    });
  });

  describe('ids', () => {
    it.each(AWKWARD_NAMES)('accept any characters, such as %j', async (name) => {
      const document = sampleDocument();
      const awkward = {
        organizationId: `${document.organizationId}${name}`,
        datastoreId: name,
        datasourceId: name,
        documentKey: name,
      };
      await write(awkward, 'magpie', name);
      await write(document, 'magpie');
      const scope = scopeOf(awkward, { datasourceIds: [name], customIds: [name] });
      expect(await seen(scope, 'magpie')).toEqual(['magpie']);
      const [fragment] = await store().searchLexical(SAMPLE_COLLECTION, scope, 'magpie', 10);
      expect(fragment).toMatchObject({ datastoreId: name, datasourceId: name, documentKey: name, customId: name });
      expect(await store().describeDocument(SAMPLE_COLLECTION, awkward)).toMatchObject({ fragments: 1 });
      await store().removeDocument(SAMPLE_COLLECTION, awkward, 1);
      expect(await seen(scope, 'magpie')).toEqual([]);
      expect(await seen(scopeOf(document), 'magpie')).toEqual(['magpie']);
    });
  });
}
