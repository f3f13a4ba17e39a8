import type { EmbeddingSettings, PriceRange, SearchScope } from '@quarry/contracts';
import type { Collection, FragmentScope, PriceBounds } from '@quarry/fragment-store';

/** What is to be searched in one collection. */
export interface CollectionSearch {
  readonly collection: Collection;
  readonly scope: FragmentScope;
}

/**
 * The collections in which a scope's datastores are, each with what may be seen of it. Of the filters, a list that is empty
 * restricts nothing: clients send empty lists for filters that are not set.
 */
export function collectionsOf({ organizationId, datastores, filters }: SearchScope): CollectionSearch[] {
  const narrowed = {
    ...listOf('datasourceIds', filters?.datasource_ids),
    ...listOf('customIds', filters?.custom_ids),
    ...listOf('stockStatuses', filters?.stock_status),
    ...(filters?.price === undefined ? {} : { price: boundsOf(filters.price) }),
  };
  const groups = Map.groupBy(datastores, ({ embedding }) => keyOf(embedding));
  return [...groups.values()].map((group) => ({
    collection: { embedding: group[0]?.embedding ?? null },
    scope: { organizationId, datastoreIds: group.map(({ id }) => id), ...narrowed },
  }));
}

function boundsOf({ min, max }: PriceRange): PriceBounds {
  return { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
}

function keyOf(embedding: EmbeddingSettings | undefined): string {
  return embedding === undefined ? '' : JSON.stringify([embedding.model, embedding.dimensions, embedding.distance]);
}

function listOf<Name extends string>(
  name: Name,
  list: readonly string[] | undefined,
): Partial<Record<Name, readonly string[]>> {
  if (list === undefined || list.length === 0) return {};
  // A computed key widens to string: TypeScript cannot see that it is this name.
  return { [name]: list } as Record<Name, readonly string[]>;
}
