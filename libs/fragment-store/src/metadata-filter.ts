/** A metadata value that filters compare. */
export type MetadataScalar = string | number | boolean;

/**
 * Selects documents by one key of their metadata. The value of a key may be a list: the comparison then matches if one
 * element matches. Values of different types are never equal. Values that are not texts, finite numbers or booleans are
 * ignored, and so are values beyond `MAX_METADATA_VALUES`.
 *
 * - `eq`, `in`: a value of the key is equal to the given value, or to one of the given values.
 * - `gt`, `gte`, `lt`, `lte`: a value of the key is greater or less than the given value. Numbers are compared with
 *   numbers, and dates with dates: texts that `parseTimestamp` accepts. Booleans and other texts have no order.
 * - `ne`, `nin`: the negation of `eq` and `in`. Documents without the key therefore match.
 */
export type MetadataComparison =
  | { readonly type: 'eq' | 'ne'; readonly key: string; readonly value: MetadataScalar }
  | { readonly type: 'gt' | 'gte' | 'lt' | 'lte'; readonly key: string; readonly value: number | string }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly MetadataScalar[] };

/** Combines filters. An empty `and` matches every document, and an empty `or` none. */
export interface MetadataCompound {
  readonly type: 'and' | 'or';
  readonly filters: readonly MetadataFilter[];
}

/** Selects documents by their metadata. */
export type MetadataFilter = MetadataComparison | MetadataCompound;
