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

/**
 * The payload field that lists the values of all keys that are compared for equality. It has one index for all of them.
 */
export const ENTRIES_FIELD = 'metadata_entries';
/** Separates the key of an entry from its value. Encoded keys do not contain it. */
const VALUE = ':';
/** An entry in the list of every fragment, so that only fragments of earlier versions of Quarry have no list. */
const LISTED = '';

/** The payload field that holds the values that are compared by ranges, by encoded key. */
const RANGES_FIELD = 'metadata';
/** The field of a key that holds its numbers. */
const NUMBERS = 'numbers';
/** The field of a key that holds its dates, in milliseconds since 1970. */
const DATES = 'dates';
/** The field of a key that holds its texts and booleans in fragments of earlier versions. */
const TERMS = 'terms';

/** Builds the fields of the payload of a fragment that hold its metadata. */
export function buildMetadataPayload({ metadata }: DocumentVersion): Readonly<Record<string, unknown>> {
  const fields = listMetadataFields(metadata);
  const ranges = fields.filter(({ numbers, dates }) => numbers.length > 0 || dates.length > 0);
  const payload = { [ENTRIES_FIELD]: [LISTED, ...fields.flatMap(encodeEqualityEntries)] };
  if (ranges.length === 0) return payload;
  return {
    ...payload,
    [RANGES_FIELD]: Object.fromEntries(ranges.map((field) => [field.key, buildRangeFields(field)])),
  };
}

function encodeEqualityEntries({ key, terms, numbers }: MetadataField): readonly string[] {
  return [...terms, ...numbers.map(encodeNumber)].map((value) => key + VALUE + value);
}

/** Encodes a number. Texts are in quotation marks or begin with `#`, so that no text is equal to a number. */
function encodeNumber(value: number): string {
  return String(value);
}

function buildRangeFields({ numbers, dates }: MetadataField): Readonly<Record<string, unknown>> {
  const lists = { [NUMBERS]: numbers, [DATES]: dates };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/**
 * Builds a filter from a filter on metadata. A missing field meets no condition, so that it meets every negated
 * condition.
 */
export function buildMetadataFilter(filter: MetadataFilter): Filter {
  switch (filter.type) {
    case 'and':
      return { must: filter.filters.map(buildMetadataFilter) };
    case 'or':
      return buildAnyOfFilter(filter.filters.map(buildMetadataFilter));
    case 'eq':
    case 'ne':
    case 'in':
    case 'nin':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildComparisonFilter(filter);
  }
}

function buildComparisonFilter(comparison: MetadataComparison): Filter {
  const { key } = comparison;
  switch (comparison.type) {
    case 'eq':
      return buildEqualityFilter(key, [comparison.value]);
    case 'ne':
      return { must_not: [buildEqualityFilter(key, [comparison.value])] };
    case 'in':
      return buildEqualityFilter(key, comparison.value);
    case 'nin':
      return { must_not: [buildEqualityFilter(key, comparison.value)] };
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildRangeFilter(key, comparison.type, comparison.value);
  }
}

function buildRangeFilter(key: string, operator: 'gt' | 'gte' | 'lt' | 'lte', bound: number | string): Filter {
  const value = typeof bound === 'number' ? bound : parseTimestamp(bound);
  if (value === undefined) return buildAnyOfFilter([]);
  return {
    must: [{ key: buildPayloadPath(key, typeof bound === 'number' ? NUMBERS : DATES), range: { [operator]: value } }],
  };
}

/** Builds a filter for the fragments that have one of the values under the key. */
function buildEqualityFilter(key: string, values: readonly MetadataScalar[]): Filter {
  if (values.length === 0) return buildAnyOfFilter([]);
  const entries = values.map(
    (value) =>
      encodeMetadataKey(key) + VALUE + (typeof value === 'number' ? encodeNumber(value) : encodeMetadataTerm(value)),
  );
  return buildAnyOfFilter([
    { key: ENTRIES_FIELD, match: { any: entries } },
    { must: [{ is_empty: { key: ENTRIES_FIELD } }, buildEqualityFilterOfEarlierVersions(key, values)] },
  ]);
}

/**
 * Builds the filter of fragments of earlier versions, which have no list of entries. The server compares them one by
 * one.
 */
function buildEqualityFilterOfEarlierVersions(key: string, values: readonly MetadataScalar[]): Filter {
  const terms = values.filter((value) => typeof value !== 'number').map(encodeMetadataTerm);
  const numbers = values.filter((value) => typeof value === 'number');
  return buildAnyOfFilter([
    ...(terms.length === 0 ? [] : [{ key: buildPayloadPath(key, TERMS), match: { any: terms } }]),
    ...numbers.map((value) => ({ key: buildPayloadPath(key, NUMBERS), range: { gte: value, lte: value } })),
  ]);
}

/**
 * Builds a filter that requires at least one condition. An empty list matches nothing, but the server would ignore it.
 */
function buildAnyOfFilter(conditions: readonly Condition[]): Filter {
  return conditions.length === 0 ? { must: [{ has_id: [] }] } : { should: [...conditions] };
}

function buildPayloadPath(key: string, field: string): string {
  return `${RANGES_FIELD}.${encodeMetadataKey(key)}.${field}`;
}
