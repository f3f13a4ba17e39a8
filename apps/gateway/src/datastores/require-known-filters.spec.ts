import { Problem } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { requireKnownFilters } from './require-known-filters.js';

describe('the filters of a query', () => {
  it.each([
    {},
    { query: 'q', topK: 5, streaming: true, conversationId: 'c', visitorId: 'v', colour: 'red', files: [], fields: {} },
    { filters: null },
    { filters: {} },
    { filters: { custom_ids: [], datasource_ids: null, stock_status: ['instock'], price: { min: 1, max: 2 } } },
    { filters: { price: null } },
    { metadata: { trace: 'a' } },
    { metadata: null },
    { filters: { metadata: { type: 'eq', key: 'color', value: 'red' } } },
  ])('requireKnownFilters accepts a query with known filters or without filters: %j', (body) => {
    expect(() => {
      requireKnownFilters(body);
    }).not.toThrow();
  });

  it.each([
    [{ filters: { custom_id: ['a'] } }, 'filters.custom_id'],
    [{ filters: { price: { maximum: 150 } } }, 'filters.price.maximum'],
    [{ filters: { price: { min: 1, Max: 150 } } }, 'filters.price.Max'],
    [{ filters: JSON.parse('{"__proto__":["a"]}') as object }, 'filters.__proto__'],
    [{ filters: { constructor: ['a'] } }, 'filters.constructor'],
    [{ filter: { custom_ids: ['a'] } }, 'filter'],
    [{ Filters: {} }, 'Filters'],
    [{ fitlers: {} }, 'fitlers'],
    [{ fliters: null }, 'fliters'],
    [{ custom_ids: ['a'] }, 'custom_ids'],
    [{ metadata: { type: 'eq', key: 'color', value: 'red' } }, 'metadata'],
    [{ customId: 'a' }, 'customId'],
    [{ datasourceIds: ['a'] }, 'datasourceIds'],
  ])(
    'requireKnownFilters refuses a query with a misspelt or misplaced filter: for %j, the error contains %s',
    (body, path) => {
      const checkFilters = (): void => {
        requireKnownFilters(body);
      };
      expect(checkFilters).toThrow(Problem);
      expect(checkFilters).toThrow(path);
    },
  );
});
