import {
  encodeMetadataKey,
  encodeMetadataTerm,
  listMetadataFields,
  type DocumentVersion,
  type MetadataComparison,
  type MetadataFilter,
  type MetadataScalar,
} from '@quarry/fragment-store';
import { parseTimestamp } from '@quarry/validation';
import { quoteLiteral } from './filters.js';

/** Surrounds every entry of the column. Encoded keys and values contain no control characters. */
const ENTRY = '\u001e';
/** Separates the key of an entry from its value. */
const VALUE = '\u001f';
/** Marks a number. */
const NUMBER = '=';

/** Marks the greatest value of a key, and its least value negated, so that one kind of comparison suffices. */
interface RangeMarks {
  readonly greatest: string;
  readonly negatedLeast: string;
}

const NUMBER_MARKS: RangeMarks = { greatest: '>', negatedLeast: '<' };
const DATE_MARKS: RangeMarks = { greatest: ')', negatedLeast: '(' };

const MATCHES_ALL = 'TRUE';
const MATCHES_NONE = 'FALSE';

/**
 * Encodes the metadata of a version as one text, in which filters search for entries. A column per key would need a schema
 * per datastore. Null if there are no values.
 */
export function encodeMetadata({ metadata }: DocumentVersion): string | null {
  const entries = listMetadataFields(metadata).flatMap(({ key, terms, numbers, dates }) =>
    [
      ...terms,
      ...numbers.map((number) => NUMBER + encodeNumber(number)),
      ...encodeRange(numbers, NUMBER_MARKS),
      ...encodeRange(dates, DATE_MARKS),
    ].map((value) => key + VALUE + value),
  );
  return entries.length === 0 ? null : ENTRY + entries.join(ENTRY) + ENTRY;
}

function encodeRange(values: readonly number[], { greatest, negatedLeast }: RangeMarks): readonly string[] {
  if (values.length === 0) return [];
  return [greatest + encodeNumber(Math.max(...values)), negatedLeast + encodeNumber(-Math.min(...values))];
}

/** Builds the condition of a filter on an expression for the column, which must not be null. */
export function buildMetadataCondition(filter: MetadataFilter, column: string): string {
  switch (filter.type) {
    case 'and':
      return joinFilters(filter.filters, column, ' AND ', MATCHES_ALL);
    case 'or':
      return joinFilters(filter.filters, column, ' OR ', MATCHES_NONE);
    case 'eq':
    case 'ne':
    case 'in':
    case 'nin':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildComparison(filter, column);
  }
}

function joinFilters(
  filters: readonly MetadataFilter[],
  column: string,
  operator: ' AND ' | ' OR ',
  empty: string,
): string {
  return filters.length === 0 ? empty : `(${filters.map((one) => buildMetadataCondition(one, column)).join(operator)})`;
}

function buildComparison(comparison: MetadataComparison, column: string): string {
  const key = encodeMetadataKey(comparison.key);
  switch (comparison.type) {
    case 'eq':
      return buildAnyOf(column, key, [comparison.value]);
    case 'ne':
      return `NOT ${buildAnyOf(column, key, [comparison.value])}`;
    case 'in':
      return buildAnyOf(column, key, comparison.value);
    case 'nin':
      return `NOT ${buildAnyOf(column, key, comparison.value)}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildRange(column, key, comparison);
  }
}

function buildRange(
  column: string,
  key: string,
  { type, value }: { readonly type: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: number | string },
): string {
  const bound = typeof value === 'number' ? value : parseTimestamp(value);
  if (bound === undefined) return MATCHES_NONE;
  const { greatest, negatedLeast } = typeof value === 'number' ? NUMBER_MARKS : DATE_MARKS;
  const isUpward = type === 'gt' || type === 'gte';
  const found = readMark(column, key, isUpward ? greatest : negatedLeast);
  const operator = type === 'gt' || type === 'lt' ? '>' : '>=';
  return `${found} ${operator} ${quoteLiteral(encodeNumber(isUpward ? bound : -bound))}`;
}

function buildAnyOf(column: string, key: string, values: readonly MetadataScalar[]): string {
  const conditions = values.map((value) => {
    const encoded = typeof value === 'number' ? NUMBER + encodeNumber(value) : encodeMetadataTerm(value);
    return `contains(${column}, ${quoteLiteral(ENTRY + key + VALUE + encoded + ENTRY)})`;
  });
  return conditions.length === 0 ? MATCHES_NONE : `(${conditions.join(' OR ')})`;
}

/** Returns an expression for the marked number of a key. It is empty, and so less than every number, if there is none. */
function readMark(column: string, key: string, mark: string): string {
  const rest = `split_part(${column}, ${quoteLiteral(ENTRY + key + VALUE + mark)}, 2)`;
  return `split_part(${rest}, ${quoteLiteral(ENTRY)}, 1)`;
}

/** Encodes a number so that the order of the texts is the order of the numbers (IEEE 754, with the sign bit inverted). */
function encodeNumber(value: number): string {
  const bytes = Buffer.alloc(8);
  // Adding zero turns -0 into 0.
  bytes.writeDoubleBE(value + 0);
  const bits = bytes.readBigUInt64BE();
  const isNegative = bits >> 63n === 1n;
  const ordered = isNegative ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return ordered.toString(16).padStart(16, '0');
}
