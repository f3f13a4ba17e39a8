import type { EmbeddingSettings, ExcludedContent, PriceRange, SearchScope } from '@quarry/contracts';
import { storedDocument, type Collection, type FragmentScope, type PriceBounds } from '@quarry/fragment-store';

/** Describes the search in one collection. */
export interface CollectionSearch {
  readonly collection: Collection;
  readonly scope: FragmentScope;
}

/**
 * Returns the collections of the scope's datastores, each with the scope to search. An empty filter list matches nothing, so the
 * result is empty: a portal sends it for a visitor without any permission.
 */
export function collectionsOf({ organizationId, datastores, filters, excluded }: SearchScope): CollectionSearch[] {
  const lists = {
    ...(filters?.datasource_ids && { datasourceIds: filters.datasource_ids }),
    ...(filters?.custom_ids && { customIds: filters.custom_ids }),
    ...(filters?.stock_status && { stockStatuses: filters.stock_status }),
  };
  if (Object.values(lists).some(({ length }) => length === 0)) return [];
  const narrowed = { ...lists, ...(filters?.price && { price: boundsOf(filters.price) }) };
  const groups = Map.groupBy(datastores, ({ embedding }) => keyOf(embedding ?? null));
  return [...groups.values()].map((group) => ({
    collection: { embedding: group[0]?.embedding ?? null },
    scope: {
      organizationId,
      datastoreIds: group.map(({ id }) => id),
      ...narrowed,
      ...(excluded && { excluded: excludedFrom(group, organizationId, excluded) }),
    },
  }));
}

/** Limits the exclusions to the documents of these datastores, because their collection contains no others. */
function excludedFrom(
  group: SearchScope['datastores'],
  organizationId: string,
  { datasourceIds, documents }: ExcludedContent,
): NonNullable<FragmentScope['excluded']> {
  const ids = new Set(group.map(({ id }) => id));
  const theirs = documents.filter(({ datastoreId }) => ids.has(datastoreId));
  return {
    datasourceIds,
    documents: theirs.map(({ datastoreId, datasourceId, documentKey, upTo }) => ({
      ...storedDocument({ organizationId, datastoreId, datasourceId, documentKey }),
      upTo,
    })),
  };
}

function boundsOf({ min, max }: PriceRange): PriceBounds {
  return { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
}

function keyOf(embedding: EmbeddingSettings | null): string {
  return embedding === null ? '' : JSON.stringify([embedding.model, embedding.dimensions, embedding.distance]);
}
