import { describe, expect, it } from 'vitest';
import { collectionsOf } from './collections.js';

const SMALL = { model: 'small', dimensions: 3, distance: 'cosine' } as const;
const LARGE = { model: 'large', dimensions: 5, distance: 'cosine' } as const;

describe('the collections of a scope', () => {
  it('are one for each way of embedding, with the datastores that use it', () => {
    const datastores = [
      { id: 'a', embedding: SMALL },
      { id: 'b' },
      { id: 'c', embedding: LARGE },
      { id: 'd', embedding: { ...SMALL } },
    ];
    expect(collectionsOf({ organizationId: 'o', datastores })).toEqual([
      { collection: { embedding: SMALL }, scope: { organizationId: 'o', datastoreIds: ['a', 'd'] } },
      { collection: { embedding: null }, scope: { organizationId: 'o', datastoreIds: ['b'] } },
      { collection: { embedding: LARGE }, scope: { organizationId: 'o', datastoreIds: ['c'] } },
    ]);
  });

  it('are none where there are no datastores', () => {
    expect(collectionsOf({ organizationId: 'o', datastores: [] })).toEqual([]);
  });

  it('are narrowed by the filters that name something', () => {
    const [search] = collectionsOf({
      organizationId: 'o',
      datastores: [{ id: 'a' }],
      filters: { custom_ids: ['c1'], datasource_ids: [] },
    });
    expect(search?.scope).toEqual({ organizationId: 'o', datastoreIds: ['a'], customIds: ['c1'] });
  });
});
