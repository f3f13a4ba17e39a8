import type { QdrantConnection } from './qdrant-connection.js';
import { INDEXES_PER_KEY, listMetadataIndexes, METADATA_FIELD } from './metadata-payload.js';
import type { StoreLog } from './options.js';

/**
 * Maximum number of metadata keys with indexes in a collection, which contains the datastores of all organizations. Every
 * index needs memory and files in every segment.
 */
export const MAX_INDEXED_KEYS = 100;

/**
 * Creates the indexes of keys that have none. The server builds them in the background. Searches are slower without an index,
 * and equal.
 *
 * @param log receives a warning if a collection has too many indexes for further keys
 */
export async function indexMetadata(
  connection: QdrantConnection,
  name: string,
  keys: readonly string[],
  log: StoreLog | undefined,
): Promise<void> {
  const { payload_schema: schema } = await connection.sendRequest(`describe ${name}`, (client) =>
    client.getCollection(name),
  );
  let indexed = Object.keys(schema).filter((field) => field.startsWith(`${METADATA_FIELD}.`)).length;
  for (const key of keys) {
    const missing = listMetadataIndexes(key).filter(([field]) => schema[field] === undefined);
    if (missing.length === 0) continue;
    if (indexed + missing.length > MAX_INDEXED_KEYS * INDEXES_PER_KEY) {
      log?.warn(
        { collection: name, key, indexed },
        'the metadata key has no index, because the collection has too many',
      );
      continue;
    }
    indexed += missing.length;
    for (const [field_name, field_schema] of missing) {
      await connection.sendRequest(`index ${field_name} of ${name}`, (client) =>
        client.createPayloadIndex(name, { field_name, field_schema, wait: false }),
      );
    }
  }
}
