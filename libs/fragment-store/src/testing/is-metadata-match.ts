import { parseTimestamp } from '@quarry/validation';
import { listMetadataValues } from '../metadata-fields.js';
import type { MetadataFilter, MetadataScalar } from '../metadata-filter.js';

/**
 * Returns true if the metadata match a filter. The conformance suite expects every store to select the same documents.
 */
export function isMetadataMatch(filter: MetadataFilter, metadata?: Readonly<Record<string, unknown>>): boolean {
  return isFilterMatchedByValues(filter, listMetadataValues(metadata));
}

function isFilterMatchedByValues(
  filter: MetadataFilter,
  metadata: ReadonlyMap<string, readonly MetadataScalar[]>,
): boolean {
  if ('filters' in filter) {
    const isSubfilterMatch = (one: MetadataFilter): boolean => isFilterMatchedByValues(one, metadata);
    return filter.type === 'and' ? filter.filters.every(isSubfilterMatch) : filter.filters.some(isSubfilterMatch);
  }
  const values = metadata.get(filter.key) ?? [];
  switch (filter.type) {
    case 'eq':
      return values.includes(filter.value);
    case 'ne':
      return !values.includes(filter.value);
    case 'in':
      return values.some((value) => filter.value.includes(value));
    case 'nin':
      return !values.some((value) => filter.value.includes(value));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return values.some((value) => isComparisonTrue(filter.type, value, filter.value));
  }
}

/** Returns true if a value and a bound are in the order that the comparison requires. */
function isComparisonTrue(type: 'gt' | 'gte' | 'lt' | 'lte', value: MetadataScalar, bound: number | string): boolean {
  const isComparable = typeof value === typeof bound;
  const [left, right] = [value, bound].map((one) => (typeof one === 'string' ? parseTimestamp(one) : Number(one)));
  if (!isComparable || left === undefined || right === undefined) return false;
  switch (type) {
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
  }
}
