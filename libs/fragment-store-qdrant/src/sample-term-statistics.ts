import type { FragmentScope } from '@quarry/fragment-store';
import type { TenantCollections } from './collections.js';
import { buildEqualsCondition, buildInCondition, type Filter } from './filters.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { TermStatistics } from './term-statistics.js';

/** Names an organization and those of its datastores whose fragments determine the weights of query terms. */
export type StatisticsScope = Pick<FragmentScope, 'organizationId' | 'datastoreIds'>;

type FragmentPlace = Pick<TenantCollections, 'fragments' | 'shard'>;

/** Holds the maximum number of fragments in a sample, and the number of fragments that are read per request. */
export interface Sampling {
  readonly fragments: number;
  readonly pageSize: number;
}

/**
 * Default size of a sample, which limits the duration of the first search. If the datastores have no more fragments
 * than a sample, the statistics are exact, so that results are in the same order as in other stores.
 */
export const DEFAULT_SAMPLING: Sampling = { fragments: 10_000, pageSize: 250 };

/**
 * Computes the term statistics of datastores from a sample: the first fragments of the datastores in the order of
 * fragment ids. Ids are random, so this is a random sample, and repeated calls return the same sample as long as no
 * fragment changes.
 *
 * @returns undefined if the datastores have no fragments
 */
export async function sampleTermStatistics(
  connection: QdrantConnection,
  names: FragmentPlace,
  scope: StatisticsScope,
  { fragments, pageSize }: Sampling = DEFAULT_SAMPLING,
): Promise<TermStatistics | undefined> {
  const filter = buildStatisticsFilter(scope);
  const frequencies = new Map<number, number>();
  let sampled = 0;
  let offset: string | undefined;
  do {
    const limit = Math.min(pageSize, fragments - sampled);
    const page = await connection.scrollPoints(`read terms of ${names.fragments}`, names.fragments, {
      ...names.shard,
      ...{ filter, limit, with_payload: false, with_vector: ['lexical'] },
      ...(offset === undefined ? {} : { offset }),
    });
    if (page === undefined) return undefined;
    for (const { vector } of page.points) {
      sampled += 1;
      for (const index of parseTermIndexes(vector)) frequencies.set(index, (frequencies.get(index) ?? 0) + 1);
    }
    offset = typeof page.next_page_offset === 'string' ? page.next_page_offset : undefined;
  } while (offset !== undefined && sampled < fragments);
  if (sampled === 0) return undefined;
  const all = offset === undefined ? sampled : await countFragments(connection, names, scope);
  return new TermStatistics({ fragments: all, sampled, frequencies });
}

/** Counts the fragments of the scope's datastores. */
export async function countFragments(
  connection: QdrantConnection,
  { fragments, shard }: FragmentPlace,
  scope: StatisticsScope,
): Promise<number> {
  const filter = buildStatisticsFilter(scope);
  const counted = await connection.sendToExistingCollection(`count fragments of ${fragments}`, (client) =>
    client.count(fragments, { ...shard, filter, exact: true }),
  );
  return counted?.count ?? 0;
}

function buildStatisticsFilter({ organizationId, datastoreIds }: StatisticsScope): Filter {
  return {
    must: [buildEqualsCondition('organization_id', organizationId), buildInCondition('datastore_id', datastoreIds)],
  };
}

/** Returns the term indexes in the sparse vector of a fragment, or none for a fragment without a sparse vector. */
function parseTermIndexes(vector: unknown): readonly number[] {
  if (typeof vector !== 'object' || vector === null || !('lexical' in vector)) return [];
  const { lexical } = vector;
  const indices: unknown = typeof lexical === 'object' && lexical !== null && 'indices' in lexical && lexical.indices;
  return Array.isArray(indices) ? indices.filter((index) => typeof index === 'number') : [];
}
