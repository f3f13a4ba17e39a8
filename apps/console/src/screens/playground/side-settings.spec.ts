import { describe, expect, it } from 'vitest';
import {
  buildQueryRequest,
  countUsedFilters,
  DEFAULT_SETTINGS,
  formatSideSettings,
  isCompleteSide,
  parseCommaSeparatedList,
  parseSideSettings,
  splitListedIds,
  type SideSettings,
} from './side-settings.js';

const FULL: SideSettings = {
  datastoreIds: ['d1', 'd2'],
  topK: '20',
  datasourceIds: ['s1'],
  customIds: ['a & b', 'c,d'],
  stockStatus: ['instock'],
  minPrice: '1.5',
  maxPrice: '0',
};

describe('settings in an address', () => {
  it('parseSideSettings returns the settings that formatSideSettings formatted', () => {
    expect(parseSideSettings(formatSideSettings(FULL))).toEqual(FULL);
    expect(parseSideSettings(formatSideSettings(DEFAULT_SETTINGS))).toEqual(DEFAULT_SETTINGS);
  });

  it('formatSideSettings returns an empty text for the default settings', () => {
    expect(formatSideSettings(DEFAULT_SETTINGS)).toBe('');
  });

  it.each(['topK=0', 'topK=101', 'topK=x', 'topK=1.5', 'min=x&max=Infinity', ''])(
    'parseSideSettings replaces invalid values by defaults: %s',
    (text) => {
      expect(parseSideSettings(text)).toEqual(DEFAULT_SETTINGS);
    },
  );
});

describe('buildQueryRequest', () => {
  it('buildQueryRequest includes the filters that are set, and countUsedFilters counts them', () => {
    expect(buildQueryRequest('q', FULL)).toEqual({
      query: 'q',
      topK: 20,
      filters: {
        datasource_ids: ['s1'],
        custom_ids: ['a & b', 'c,d'],
        stock_status: ['instock'],
        price: { min: 1.5, max: 0 },
      },
    });
    expect(countUsedFilters(FULL)).toBe(4);
  });

  it('buildQueryRequest omits empty filters, because the API finds nothing for an empty list', () => {
    expect(buildQueryRequest('q', DEFAULT_SETTINGS)).toEqual({ query: 'q', topK: 5 });
    expect(countUsedFilters(DEFAULT_SETTINGS)).toBe(0);
  });
});

describe('isCompleteSide', () => {
  it.each([{}, { topK: '' }, { topK: '100' }, { minPrice: '1,5' }, { maxPrice: ' ' }])(
    'isCompleteSide returns true for settings with %j',
    (settings) => {
      expect(isCompleteSide({ ...FULL, ...settings })).toBe(true);
    },
  );

  it.each([
    { topK: '0' },
    { topK: '101' },
    { topK: '2O' },
    { minPrice: '1.5.0' },
    { maxPrice: 'x' },
    { datastoreIds: [] },
  ])('isCompleteSide returns false for settings with %j', (settings) => {
    expect(isCompleteSide({ ...FULL, ...settings })).toBe(false);
  });

  it('parseSideSettings restores a price with a decimal comma from the address, and buildQueryRequest converts it to a number', () => {
    const settings = parseSideSettings(formatSideSettings({ ...FULL, minPrice: '1,5', topK: '' }));
    expect(buildQueryRequest('q', settings)).toMatchObject({ topK: 5, filters: { price: { min: 1.5 } } });
  });
});

it('splitListedIds separates the chosen ids of a list from those of other lists', () => {
  const items = [{ id: 'a' }, { id: 'b' }];
  expect(splitListedIds(['c', 'b', 'd'], items)).toEqual({ listed: ['b'], others: ['c', 'd'] });
});

it('parseCommaSeparatedList returns the trimmed texts between commas and line breaks, without empty texts', () => {
  expect(parseCommaSeparatedList(' a, b\n\nc ,')).toEqual(['a', 'b', 'c']);
});
