import {
  encodeMetadataKey,
  encodeMetadataTerm,
  listMetadataFields,
  type DocumentVersion,
  type MetadataComparison,
  type MetadataFilter,
  type MetadataField,
  type MetadataScalar,
} from '@quarry/fragment-store';
import { parseTimestamp } from '@quarry/validation';
import type { Schemas } from '@qdrant/js-client-rest';
import type { Filter } from './filters.js';

type Condition = Schemas['Condition'];

/** The payload field that holds the metadata, by encoded key. */
export const METADATA_FIELD = 'metadata';
/** The field of a key that holds its texts and booleans. */
const TERMS = 'terms';
/** The field of a key that holds its numbers, which the server compares by ranges only. */
const NUMBERS = 'numbers';
/** The field of a key that holds its dates, in milliseconds since 1970. */
const DATES = 'dates';

/** Number of fields with an index that a key has. */
export const INDEXES_PER_KEY = 3;

/** Builds the metadata of the payload of a fragment. Undefined if there are no values. */
export function buildMetadataPayload({ metadata }: DocumentVersion): Readonly<Record<string, object>> | undefined {
  const fields = listMetadataFields(metadata).map((field) => [field.key, buildKeyPayload(field)] as const);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function buildKeyPayload({ terms, numbers, dates }: MetadataField): Readonly<Record<string, unknown>> {
  const lists = { [TERMS]: terms, [NUMBERS]: numbers, [DATES]: dates };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** Lists the indexes of a key of the metadata, by payload field. */
export function listMetadataIndexes(key: string): readonly (readonly [string, Schemas['PayloadFieldSchema']])[] {
  return [
    [getPath(key, TERMS), { type: 'keyword' }],
    [getPath(key, NUMBERS), { type: 'float' }],
    [getPath(key, DATES), { type: 'float' }],
  ];
}

/** Builds the filter of metadata. A field that a fragment lacks meets no condition, so that it meets every negated one. */
export function buildMetadataFilter(filter: MetadataFilter): Filter {
  switch (filter.type) {
    case 'and':
      return { must: filter.filters.map(buildMetadataFilter) };
    case 'or':
      return buildAnyOf(filter.filters.map(buildMetadataFilter));
    case 'eq':
    case 'ne':
    case 'in':
    case 'nin':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildComparison(filter);
  }
}

function buildComparison(comparison: MetadataComparison): Filter {
  const { key } = comparison;
  switch (comparison.type) {
    case 'eq':
      return buildEquality(key, [comparison.value]);
    case 'ne':
      return { must_not: [buildEquality(key, [comparison.value])] };
    case 'in':
      return buildEquality(key, comparison.value);
    case 'nin':
      return { must_not: [buildEquality(key, comparison.value)] };
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildRange(key, comparison.type, comparison.value);
  }
}

function buildRange(key: string, operator: 'gt' | 'gte' | 'lt' | 'lte', bound: number | string): Filter {
  const value = typeof bound === 'number' ? bound : parseTimestamp(bound);
  if (value === undefined) return buildAnyOf([]);
  return { must: [{ key: getPath(key, typeof bound === 'number' ? NUMBERS : DATES), range: { [operator]: value } }] };
}

/** Builds a filter for the fragments that have one of the values under the key. */
function buildEquality(key: string, values: readonly MetadataScalar[]): Filter {
  const terms = values.filter((value) => typeof value !== 'number').map(encodeMetadataTerm);
  const numbers = values.filter((value) => typeof value === 'number');
  return buildAnyOf([
    ...(terms.length === 0 ? [] : [{ key: getPath(key, TERMS), match: { any: terms } }]),
    ...numbers.map((value) => ({ key: getPath(key, NUMBERS), range: { gte: value, lte: value } })),
  ]);
}

/** Builds a filter for one of the conditions. The server ignores an empty list, which must match nothing. */
function buildAnyOf(conditions: readonly Condition[]): Filter {
  return conditions.length === 0 ? { must: [{ has_id: [] }] } : { should: [...conditions] };
}

function getPath(key: string, field: string): string {
  return `${METADATA_FIELD}.${encodeMetadataKey(key)}.${field}`;
}
