import type { MetadataFilter } from './metadata-filter.js';

/** Describes the content that a search can find. Every list is a filter: an empty list matches nothing. */
export interface FragmentScope {
  readonly organizationId: string;
  readonly datastoreIds: readonly string[];
  readonly datasourceIds?: readonly string[];
  readonly customIds?: readonly string[];
  /** Selects documents with a price within these bounds. */
  readonly price?: PriceBounds;
  readonly stockStatuses?: readonly string[];
  /** Selects documents by their metadata. */
  readonly metadata?: MetadataFilter;
  /**
   * Lists content that is being removed. A search filters this content out before ranking, so that it does not take the
   * place of other results.
   */
  readonly excluded?: ExcludedContent;
}

export interface ExcludedContent {
  readonly datasourceIds: readonly string[];
  readonly documents: readonly ExcludedDocument[];
}

/** Identifies a document that searches exclude. Only versions up to and including generation `upTo` are excluded. */
export interface ExcludedDocument {
  readonly datastoreId: string;
  readonly documentKey: string;
  readonly upTo: number;
}

/** Describes a price range. Both bounds are inclusive; an absent bound is unlimited. */
export interface PriceBounds {
  readonly min?: number;
  readonly max?: number;
}
