import { compileShapeCheck, parse, ValidationError } from '@quarry/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryFilters } from './datastore-query.js';
import {
  findMetadataFilterViolations,
  MAX_METADATA_COMPARISONS,
  MAX_METADATA_FILTER_DEPTH,
  MAX_METADATA_FILTER_VALUES,
  MAX_METADATA_KEY_CHARACTERS,
  MAX_METADATA_TEXT_CHARACTERS,
} from './metadata-filter.js';

const color = { type: 'eq', key: 'color', value: 'red' };

function createNestedFilter(levels: number): object {
  let filter: object = color;
  for (let level = 1; level < levels; level += 1) filter = { type: 'and', filters: [filter] };
  return filter;
}

function explainRefusal(metadata: unknown): string {
  try {
    parse(QueryFilters, { metadata }, 'refuse');
  } catch (error) {
    if (error instanceof ValidationError)
      return error.issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  }
  return '';
}

describe('a filter on metadata', () => {
  it.each([
    null,
    color,
    { type: 'ne', key: 'sold', value: false },
    { type: 'gte', key: 'price', value: 9.5 },
    { type: 'lt', key: 'changed', value: '2026-11-24' },
    { type: 'gt', key: 'changed', value: '2026-11-24T09:30:00+01:00' },
    { type: 'in', key: 'color', value: ['red', 5, true] },
    { type: 'nin', key: 'color', value: [] },
    { type: 'or', filters: [color, { type: 'and', filters: [color, color] }] },
    { ...color, filters: null },
    createNestedFilter(MAX_METADATA_FILTER_DEPTH),
    { type: 'or', filters: Array.from({ length: MAX_METADATA_COMPARISONS }, () => color) },
  ])('a valid filter on metadata is accepted: %j', (metadata) => {
    expect(explainRefusal(metadata)).toBe('');
    expect(compileShapeCheck(QueryFilters, 'refuse')({ metadata })).toBe(true);
  });

  it('the length limits of the keys and texts of a filter count characters, not UTF-16 units', () => {
    const key = '😀'.repeat(MAX_METADATA_KEY_CHARACTERS);
    const value = '😀'.repeat(MAX_METADATA_TEXT_CHARACTERS);
    expect(explainRefusal({ type: 'eq', key, value })).toBe('');
  });

  it.each([
    ['red', 'metadata must be an object with `type`, found "red"'],
    [{}, 'metadata.type must be one of eq, ne, gt, gte, lt, lte, in, nin, and, or, found nothing'],
    [{ ...color, type: 'like' }, 'metadata.type must be one of eq, ne'],
    [{ ...color, key: '' }, 'metadata.key must be a text with 1 to 256 characters, found ""'],
    [{ type: 'eq', value: 1 }, 'metadata.key must be a text with 1 to 256 characters, found nothing'],
    [
      { ...color, key: '😀'.repeat(MAX_METADATA_KEY_CHARACTERS + 1) },
      'metadata.key must be a text with 1 to 256 characters, found "😀',
    ],
    [
      { ...color, value: '😀'.repeat(MAX_METADATA_TEXT_CHARACTERS + 1) },
      'metadata.value must be a number, a boolean or a text of at most 4000 characters, found "😀',
    ],
    [{ type: 'eq', key: 'a' }, 'metadata.value must be a number, a boolean or a text of at most'],
    [{ type: 'eq', key: 'a', value: ['b'] }, 'metadata.value must be a number, a boolean or a text of at most'],
    [
      { type: 'gt', key: 'a', value: '5' },
      'metadata.value must be a number or an ISO 8601 date, such as 2026-11-24T09:30:00Z, for gt, found "5"',
    ],
    [{ type: 'lte', key: 'a', value: '2026-02-30' }, 'for lte, found "2026-02-30"'],
    [{ type: 'lt', key: 'a', value: true }, 'for lt, found true'],
    [{ type: 'in', key: 'a', value: 'b' }, 'metadata.value must be a list of texts, numbers and booleans for in'],
    [{ type: 'in', key: 'a', value: ['b', {}] }, 'metadata.value.1 must be a number, a boolean or a text'],
    [{ ...color, filters: [color] }, 'metadata.filters must be absent: the fields of eq are type, key, value'],
    [{ type: 'and', filters: [color], key: 'a' }, 'metadata.key must be absent: the fields of and are type, filters'],
    [{ type: 'and', filters: [] }, 'metadata.filters must be a list with at least one filter, found a list of 0'],
    [
      { type: 'or', filters: [color, { type: 'gt', key: 'a' }] },
      'metadata.filters.1.value must be a number or an ISO 8601 date',
    ],
    [createNestedFilter(MAX_METADATA_FILTER_DEPTH + 1), 'must be nested at most 5 levels deep, found an object'],
    [createNestedFilter(3_000), 'must be nested at most 5 levels deep'],
    [
      { type: 'or', filters: Array.from({ length: 26 }, () => ({ type: 'and', filters: [color, color] })) },
      'metadata must have at most 50 comparisons; use `in` for several values of a key, found 52',
    ],
    [
      { type: 'in', key: 'a', value: Array.from({ length: MAX_METADATA_FILTER_VALUES + 1 }, () => 'a') },
      'metadata.value must be a list of at most 500 values, found a list of 501',
    ],
    [
      { type: 'or', filters: [1, 2].map(() => ({ type: 'in', key: 'a', value: Array(300).fill('a') as string[] })) },
      'metadata must have at most 500 values; send several queries, found 600',
    ],
    [
      JSON.parse('{"type":"eq","key":"a","value":1,"__proto__":{}}') as unknown,
      'metadata.__proto__ must be absent: the fields of eq are',
    ],
  ])(
    'the error for an invalid filter names the path, the expected value and the found value: case %#',
    (metadata, message) => {
      expect(explainRefusal(metadata)).toContain(message);
      expect(compileShapeCheck(QueryFilters, 'refuse')({ metadata })).toBe(false);
    },
  );

  it('findMetadataFilterViolations does not throw for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(Array.isArray(findMetadataFilterViolations(value))).toBe(true);
      }),
    );
  });
});
