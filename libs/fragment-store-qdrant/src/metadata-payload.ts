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
 * Payload field with the list of a fragment's metadata values, as entries of key and value. One index covers the values
 * of all keys.
 */
export const ENTRIES_FIELD = 'metadata_entries';
/** Character between the key of an entry and its value. Encoded keys do not contain it. */
const VALUE = ':';
/**
 * Entry that every list contains, so that no list is empty. A fragment without a list was thus stored by an earlier
 * version of Quarry.
 */
const LISTED = '';

/**
 * Payload field that holds the numbers and dates that filters compare with `<` and `>`, keyed by encoded metadata key.
 */
const RANGES_FIELD = 'metadata';
/** Name of the field that holds the numbers of a metadata key. */
const NUMBERS = 'numbers';
/** Name of the field that holds the dates of a metadata key, in milliseconds since 1970. */
const DATES = 'dates';
/** Name of the field that holds the texts and booleans of a metadata key in fragments of earlier versions of Quarry. */
const TERMS = 'terms';

/** Builds the payload fields that hold the metadata of a fragment. */
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

/** Encodes the texts, booleans and numbers of a key as entries that filters compare for equality. */
function encodeEqualityEntries({ key, terms, numbers }: MetadataField): readonly string[] {
  return [...terms, ...numbers.map(encodeNumber)].map((value) => key + VALUE + value);
}

/**
 * Encodes a number for comparison. Encoded texts are in quotation marks or begin with `#`, so no encoded text equals an
 * encoded number.
 */
function encodeNumber(value: number): string {
  return String(value);
}

function buildRangeFields({ numbers, dates }: MetadataField): Readonly<Record<string, unknown>> {
  const lists = { [NUMBERS]: numbers, [DATES]: dates };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/**
 * Builds a Qdrant filter from a metadata filter. A fragment without a metadata key meets no condition on the key, and
 * so meets every negated condition.
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

/** Builds a filter for the fragments whose metadata has one of the values under a key. */
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
 * Builds the filter of `buildEqualityFilter` for fragments of earlier versions of Quarry, which have no list of
 * entries. The server compares such fragments one by one.
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
 * Builds a filter for points that meet at least one of the conditions. If there are no conditions, the filter matches
 * nothing, while the server would ignore an empty `should`.
 */
function buildAnyOfFilter(conditions: readonly Condition[]): Filter {
  return conditions.length === 0 ? { must: [{ has_id: [] }] } : { should: [...conditions] };
}

function buildPayloadPath(key: string, field: string): string {
  return `${RANGES_FIELD}.${encodeMetadataKey(key)}.${field}`;
}
