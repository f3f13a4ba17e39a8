import type { QueryFilters } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { collectionsOf } from './collection-searches.js';

const SMALL = { model: 'small', dimensions: 3, distance: 'cosine' } as const;
const LARGE = { model: 'large', dimensions: 5, distance: 'cosine' } as const;

describe('the collections of a scope', () => {
  it('are one per embedding configuration, with the datastores that use it', () => {
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

  it('are empty without datastores', () => {
    expect(collectionsOf({ organizationId: 'o', datastores: [] })).toEqual([]);
  });

  const filtered = (filters: QueryFilters) =>
    collectionsOf({ organizationId: 'o', datastores: [{ id: 'a' }], filters }).map(({ scope }) => scope);

  it('are restricted by every filter', () => {
    const filters = { custom_ids: ['c'], datasource_ids: ['d'], stock_status: ['s'], price: { min: 1, max: null } };
    expect(filtered(filters)).toEqual([
      {
        organizationId: 'o',
        datastoreIds: ['a'],
        customIds: ['c'],
        datasourceIds: ['d'],
        stockStatuses: ['s'],
        price: { min: 1 },
      },
    ]);
    expect(filtered({})).toEqual([{ organizationId: 'o', datastoreIds: ['a'] }]);
  });

  it('exclude content under removal, each with the documents of its own datastores', () => {
    const datastores = [{ id: 'a', embedding: SMALL }, { id: 'b' }];
    const documents = ['a', 'b'].map((datastoreId) => ({ datastoreId, datasourceId: 's', documentKey: 'k', upTo: 4 }));
    const excluded = { datasourceIds: ['removed'], documents };
    const scopes = collectionsOf({ organizationId: 'o', datastores, excluded }).map(({ scope }) => scope);
    expect(scopes.map((scope) => scope.excluded)).toMatchObject([
      { datasourceIds: ['removed'], documents: [{ datastoreId: 'a', documentKey: 's/k', upTo: 4 }] },
      { datasourceIds: ['removed'], documents: [{ datastoreId: 'b', documentKey: 's/k', upTo: 4 }] },
    ]);
  });

  it.each(['custom_ids', 'datasource_ids', 'stock_status'] as const)('are empty if %s is empty', (name) => {
    expect(filtered({ [name]: [] })).toEqual([]);
    expect(filtered({ custom_ids: ['c'], datasource_ids: ['d'], stock_status: ['s'], [name]: [] })).toEqual([]);
  });
});
