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
import { quoteSqlText } from './filters.js';

/**
 * Control character before and after each entry of the column `metadata`. An entry is a key with one of its values.
 * Encoded keys and values contain no control characters.
 */
const ENTRY = '\u001e';
/** Character between the key of an entry and its value. */
const VALUE = '\u001f';
/** First character of the value in an entry if the value is a number. */
const NUMBER = '=';

/**
 * Holds the characters that mark the entries with the greatest and the least value of a key. The least value is stored
 * with the opposite sign, so that all range filters compare with `>` or `>=`.
 */
interface RangeMarks {
  readonly greatest: string;
  readonly negatedLeast: string;
}

const NUMBER_MARKS: RangeMarks = { greatest: '>', negatedLeast: '<' };
const DATE_MARKS: RangeMarks = { greatest: ')', negatedLeast: '(' };

/** SQL that computes the column `entries` from the column `metadata`, for rows of earlier versions of Quarry. */
export const SPLIT_METADATA = `string_to_array(btrim(metadata, '${ENTRY}'), '${ENTRY}')`;

const MATCHES_ALL = 'TRUE';
const MATCHES_NONE = 'FALSE';

/**
 * Encodes the metadata of a document version as one text, in which filters search for entries. A column per key would
 * require a different schema in each datastore. Returns null if there are no values.
 */
export function encodeMetadata({ metadata }: DocumentVersion): string | null {
  const entries = listMetadataFields(metadata).flatMap(({ key, terms, numbers, dates }) =>
    [
      ...terms,
      ...numbers.map(encodeNumberEntry),
      ...encodeRangeMarks(numbers, NUMBER_MARKS),
      ...encodeRangeMarks(dates, DATE_MARKS),
    ].map((value) => key + VALUE + value),
  );
  return entries.length === 0 ? null : ENTRY + entries.join(ENTRY) + ENTRY;
}

/**
 * Encodes the texts and numbers in the metadata of a document version as a list of entries. The index of these lists
 * speeds up comparisons for equality. Returns null if there are no values.
 */
export function encodeMetadataEntries({ metadata }: DocumentVersion): readonly string[] | null {
  const entries = listMetadataFields(metadata).flatMap(({ key, terms, numbers }) =>
    [...terms, ...numbers.map(encodeNumberEntry)].map((value) => key + VALUE + value),
  );
  return entries.length === 0 ? null : entries;
}

function encodeNumberEntry(number: number): string {
  return NUMBER + encodeNumber(number);
}

function encodeRangeMarks(values: readonly number[], { greatest, negatedLeast }: RangeMarks): readonly string[] {
  if (values.length === 0) return [];
  return [greatest + encodeNumber(Math.max(...values)), negatedLeast + encodeNumber(-Math.min(...values))];
}

/** Holds the two columns in which a filter finds the metadata of a document: as one text, and as a list of entries. */
export interface MetadataColumns {
  /** SQL expression whose value is the text that `encodeMetadata` returned for the row, or '' if it returned null. */
  readonly text: string;
  /**
   * Name of the indexed column with the list that `encodeMetadataEntries` returns. Undefined: the index cannot be used,
   * and filters compare only `text`.
   */
  readonly entries: string | undefined;
}

/** Builds the SQL condition that a row meets if its metadata match a filter. */
export function buildMetadataCondition(filter: MetadataFilter, columns: MetadataColumns): string {
  switch (filter.type) {
    case 'and':
      return joinFilterConditions(filter.filters, columns, ' AND ', MATCHES_ALL);
    case 'or':
      // If the index does not support every alternative, the query compares all rows. Searching the texts is faster
      // than comparing the lists.
      return joinFilterConditions(
        filter.filters,
        canUseEntriesIndex(filter) ? columns : { ...columns, entries: undefined },
        ' OR ',
        MATCHES_NONE,
      );
    case 'eq':
    case 'ne':
    case 'in':
    case 'nin':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildComparisonCondition(filter, columns);
  }
}

/** Returns true if the index of the column `entries` suffices to find all rows that match a filter. */
function canUseEntriesIndex(filter: MetadataFilter): boolean {
  if (filter.type === 'and' || filter.type === 'or') return filter.filters.every(canUseEntriesIndex);
  return filter.type === 'eq' || filter.type === 'in';
}

function joinFilterConditions(
  filters: readonly MetadataFilter[],
  columns: MetadataColumns,
  operator: ' AND ' | ' OR ',
  empty: string,
): string {
  return filters.length === 0
    ? empty
    : `(${filters.map((one) => buildMetadataCondition(one, columns)).join(operator)})`;
}

function buildComparisonCondition(comparison: MetadataComparison, columns: MetadataColumns): string {
  const key = encodeMetadataKey(comparison.key);
  switch (comparison.type) {
    case 'eq':
      return buildAnyOfCondition(columns, key, [comparison.value]);
    case 'ne':
      return buildNoneOfCondition(columns, key, [comparison.value]);
    case 'in':
      return buildAnyOfCondition(columns, key, comparison.value);
    case 'nin':
      return buildNoneOfCondition(columns, key, comparison.value);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildRangeCondition(columns.text, key, comparison);
  }
}

function buildRangeCondition(
  text: string,
  key: string,
  { type, value }: { readonly type: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: number | string },
): string {
  const bound = typeof value === 'number' ? value : parseTimestamp(value);
  if (bound === undefined) return MATCHES_NONE;
  const { greatest, negatedLeast } = typeof value === 'number' ? NUMBER_MARKS : DATE_MARKS;
  const isUpward = type === 'gt' || type === 'gte';
  const found = buildMarkExpression(text, key, isUpward ? greatest : negatedLeast);
  const operator = type === 'gt' || type === 'lt' ? '>' : '>=';
  return `${found} ${operator} ${quoteSqlText(encodeNumber(isUpward ? bound : -bound))}`;
}

function buildAnyOfCondition(columns: MetadataColumns, key: string, values: readonly MetadataScalar[]): string {
  if (values.length === 0) return MATCHES_NONE;
  const entries = values.map((value) => encodeMetadataEntry(key, value));
  if (columns.entries === undefined) return buildContainsAnyOfCondition(columns.text, entries);
  return `array_has_any(${columns.entries}, [${entries.map(quoteSqlText).join(', ')}])`;
}

/**
 * Builds the condition that none of the given values is a value of the key. Compares the text, because a negated
 * condition on the list is slower.
 */
function buildNoneOfCondition({ text }: MetadataColumns, key: string, values: readonly MetadataScalar[]): string {
  if (values.length === 0) return MATCHES_ALL;
  return `NOT ${buildContainsAnyOfCondition(
    text,
    values.map((value) => encodeMetadataEntry(key, value)),
  )}`;
}

function buildContainsAnyOfCondition(text: string, entries: readonly string[]): string {
  return `(${entries.map((entry) => `contains(${text}, ${quoteSqlText(ENTRY + entry + ENTRY)})`).join(' OR ')})`;
}

function encodeMetadataEntry(key: string, value: MetadataScalar): string {
  return key + VALUE + (typeof value === 'number' ? encodeNumberEntry(value) : encodeMetadataTerm(value));
}

/**
 * Builds an SQL expression for the encoded number that follows `mark` in an entry of a key. If the text has no such
 * entry, the value of the expression is '', which is less than any encoded number.
 */
function buildMarkExpression(text: string, key: string, mark: string): string {
  const rest = `split_part(${text}, ${quoteSqlText(ENTRY + key + VALUE + mark)}, 2)`;
  return `split_part(${rest}, ${quoteSqlText(ENTRY)}, 1)`;
}

/**
 * Encodes a number as a text, so that the texts have the same order as the numbers. The text contains the IEEE 754
 * bits: with an inverted sign bit, or for negative numbers with all bits inverted.
 */
function encodeNumber(value: number): string {
  const bytes = Buffer.alloc(8);
  // Adding zero turns -0 into 0.
  bytes.writeDoubleBE(value + 0);
  const bits = bytes.readBigUInt64BE();
  const isNegative = bits >> 63n === 1n;
  const ordered = isNegative ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return ordered.toString(16).padStart(16, '0');
}
