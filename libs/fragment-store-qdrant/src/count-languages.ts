import type { FragmentScope, LanguageCounts } from '@quarry/fragment-store';
import type { TenantCollections } from './collections.js';
import { buildEqualsCondition } from './filters.js';
import type { QdrantConnection } from './qdrant-connection.js';

/**
 * Maximum number of languages in the result. The detection of languages distinguishes fewer, so the result is complete.
 */
const MAX_LANGUAGES = 100;

/**
 * Counts the fragments of each language in a datastore. The counts are approximate, because they include fragments of
 * replaced versions that are not deleted yet.
 */
export async function countLanguages(
  connection: QdrantConnection,
  { fragments, shard }: TenantCollections,
  { organizationId }: Pick<FragmentScope, 'organizationId'>,
  datastoreId: string,
): Promise<LanguageCounts> {
  const filter = {
    must: [buildEqualsCondition('organization_id', organizationId), buildEqualsCondition('datastore_id', datastoreId)],
  };
  const counted = await connection.sendToExistingCollection(`count languages of ${fragments}`, (client) =>
    client.facet(fragments, { ...shard, key: 'language', filter, limit: MAX_LANGUAGES }),
  );
  return new Map(counted?.hits.map(({ value, count }) => [String(value), count]));
}
