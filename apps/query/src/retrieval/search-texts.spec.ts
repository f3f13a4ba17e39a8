import { describe, expect, it } from 'vitest';
import type { QueryFilters } from '@quarry/contracts';
import { createCollectionSearches, createContextualQuestion, createRewrittenQuestion } from './search-texts.js';

describe('the texts of a search question', () => {
  it('at the start of a conversation, the search texts contain only the question', () => {
    expect(createContextualQuestion('And in Spain?', []).texts).toEqual([{ text: 'And in Spain?', weight: 1 }]);
    expect(createContextualQuestion('Hi', [{ role: 'assistant', text: 'Hello!' }]).texts).toHaveLength(1);
  });

  it('within a conversation, the search texts also contain the previous question joined with the question, at a lower weight', () => {
    const history = [
      { role: 'user', text: 'Who are you?' },
      { role: 'user', text: 'How long is the warranty in Norway?' },
      { role: 'assistant', text: 'Two years.' },
    ] as const;
    expect(createContextualQuestion('And in Spain?', history).texts).toEqual([
      { text: 'And in Spain?', weight: 1 },
      { text: 'How long is the warranty in Norway?\nAnd in Spain?', weight: 0.5 },
    ]);
  });

  it('the search texts contain no unpaired surrogate after a long previous question was shortened', () => {
    const history = [{ role: 'user', text: `${'x'.repeat(399)}😀` }] as const;
    expect(createContextualQuestion('And in Spain?', history).whole.isWellFormed()).toBe(true);
  });

  it('after a rewriting, the search texts contain the rewritten question, and the original question at a lower weight', () => {
    expect(createRewrittenQuestion(['How long in Spain?'], ['And in Spain?'])).toEqual({
      texts: [
        { text: 'How long in Spain?', weight: 1 },
        { text: 'And in Spain?', weight: 0.5 },
      ],
      whole: 'How long in Spain?',
    });
    expect(createRewrittenQuestion(['How long?'], ['How long?']).texts).toHaveLength(1);
    expect(createRewrittenQuestion(['opening hours', 'rent'], ['When do you open?', 'rent'])).toEqual({
      texts: [
        { text: 'opening hours', weight: 1 },
        { text: 'rent', weight: 1 },
        { text: 'When do you open?', weight: 0.5 },
      ],
      whole: 'opening hours\nrent',
    });
  });
});

const SMALL = { model: 'small', dimensions: 3, distance: 'cosine' } as const;
const LARGE = { model: 'large', dimensions: 5, distance: 'cosine' } as const;

describe('the collection searches of a scope', () => {
  it('createCollectionSearches creates one search per embedding configuration, for the datastores with that configuration', () => {
    const datastores = [
      { id: 'a', embedding: SMALL },
      { id: 'b' },
      { id: 'c', embedding: LARGE },
      { id: 'd', embedding: { ...SMALL } },
    ];
    expect(createCollectionSearches({ organizationId: 'o', datastores })).toEqual([
      { collection: { embedding: SMALL }, scope: { organizationId: 'o', datastoreIds: ['a', 'd'] } },
      { collection: { embedding: null }, scope: { organizationId: 'o', datastoreIds: ['b'] } },
      { collection: { embedding: LARGE }, scope: { organizationId: 'o', datastoreIds: ['c'] } },
    ]);
  });

  it('createCollectionSearches creates no search if the scope has no datastores', () => {
    expect(createCollectionSearches({ organizationId: 'o', datastores: [] })).toEqual([]);
  });

  const createFilteredScopes = (filters: QueryFilters) =>
    createCollectionSearches({ organizationId: 'o', datastores: [{ id: 'a' }], filters }).map(({ scope }) => scope);

  it('createCollectionSearches adds every filter of the request to the scope of each search', () => {
    const metadata = { type: 'and', filters: [{ type: 'eq', key: 'k', value: 1 }] } as const;
    const lists = { custom_ids: ['c'], datasource_ids: ['d'], stock_status: ['s'] };
    const filters = { ...lists, price: { min: 1, max: null }, metadata };
    expect(createFilteredScopes(filters)).toEqual([
      {
        organizationId: 'o',
        datastoreIds: ['a'],
        customIds: ['c'],
        datasourceIds: ['d'],
        stockStatuses: ['s'],
        price: { min: 1 },
        metadata,
      },
    ]);
    expect(createFilteredScopes({})).toEqual([{ organizationId: 'o', datastoreIds: ['a'] }]);
  });

  it('each search of createCollectionSearches excludes the content whose removal is in progress', () => {
    const datastores = [{ id: 'a', embedding: SMALL }, { id: 'b' }];
    const documents = ['a', 'b'].map((datastoreId) => ({ datastoreId, datasourceId: 's', documentKey: 'k', upTo: 4 }));
    const excluded = { datasourceIds: ['removed'], documents };
    const scopes = createCollectionSearches({ organizationId: 'o', datastores, excluded }).map(({ scope }) => scope);
    expect(scopes.map((scope) => scope.excluded)).toMatchObject([
      { datasourceIds: ['removed'], documents: [{ datastoreId: 'a', documentKey: 's/k', upTo: 4 }] },
      { datasourceIds: ['removed'], documents: [{ datastoreId: 'b', documentKey: 's/k', upTo: 4 }] },
    ]);
  });

  it.each(['custom_ids', 'datasource_ids', 'stock_status'] as const)(
    'createCollectionSearches creates no search if the filter `%s` is an empty list',
    (name) => {
      expect(createFilteredScopes({ [name]: [] })).toEqual([]);
      expect(
        createFilteredScopes({ custom_ids: ['c'], datasource_ids: ['d'], stock_status: ['s'], [name]: [] }),
      ).toEqual([]);
    },
  );
});
