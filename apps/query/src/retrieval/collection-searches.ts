import type { EmbeddingSettings, ExcludedContent, PriceRange, SearchScope } from '@quarry/contracts';
import { storedDocument, type Collection, type FragmentScope, type PriceBounds } from '@quarry/fragment-store';

/** Describes a search in one collection of fragments. */
export interface CollectionSearch {
  readonly collection: Collection;
  readonly scope: FragmentScope;
}

/**
 * Creates one search per embedding configuration of the scope's datastores. An empty filter list matches nothing, so the
 * result is empty: a portal sends it for a visitor without any permission.
 */
export function createCollectionSearches({
  organizationId,
  datastores,
  filters,
  excluded,
}: SearchScope): CollectionSearch[] {
  const lists = {
    ...(filters?.datasource_ids && { datasourceIds: filters.datasource_ids }),
    ...(filters?.custom_ids && { customIds: filters.custom_ids }),
    ...(filters?.stock_status && { stockStatuses: filters.stock_status }),
  };
  if (Object.values(lists).some(({ length }) => length === 0)) return [];
  const narrowed = { ...lists, ...(filters?.price && { price: toPriceBounds(filters.price) }) };
  const groups = Map.groupBy(datastores, ({ embedding }) => getEmbeddingKey(embedding ?? null));
  return [...groups.values()].map((group) => ({
    collection: { embedding: group[0]?.embedding ?? null },
    scope: {
      organizationId,
      datastoreIds: group.map(({ id }) => id),
      ...narrowed,
      ...(excluded && { excluded: selectExcludedContent(group, organizationId, excluded) }),
    },
  }));
}

/** Selects the excluded content that belongs to these datastores. Their collection contains no other content. */
function selectExcludedContent(
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

function toPriceBounds({ min, max }: PriceRange): PriceBounds {
  return { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
}

function getEmbeddingKey(embedding: EmbeddingSettings | null): string {
  return embedding === null ? '' : JSON.stringify([embedding.model, embedding.dimensions, embedding.distance]);
}
