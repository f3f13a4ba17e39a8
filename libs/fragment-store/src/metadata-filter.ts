/** A value that filters compare. */
export type MetadataScalar = string | number | boolean;

/**
 * Selects documents by one key of their metadata. A key may have several values, in a list: the comparison then matches if
 * one of them matches. Values of different types are never equal. Values other than texts, finite numbers and booleans are
 * ignored, as if they were absent. So are those beyond `MAX_METADATA_VALUES`.
 *
 * - `eq`, `in`: a value is equal to the given one, or to one of the given ones.
 * - `gt`, `gte`, `lt`, `lte`: a value is greater or less than the given one. Numbers are compared with numbers, and dates with
 *   dates: texts that `parseTimestamp` accepts. Booleans and other texts have no order.
 * - `ne`, `nin`: the opposite of `eq` and `in`, so that they match documents without the key.
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
