import type { Collection, DocumentRef } from '@quarry/fragment-store';
import { getCollectionNames, type CollectionNames, type TenantCollections } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { readShardAssignment, type ShardAssignment } from './shard-assignment.js';

type Tenant = Pick<DocumentRef, 'organizationId'>;

/**
 * Determines the Qdrant collections and shards with the fragments of an organization. Reads the assignment of
 * organizations to shards once per collection.
 */
export class TenantLocator {
  readonly #connection: QdrantConnection;
  readonly #assignments = new Map<string, ShardAssignment>();

  constructor(connection: QdrantConnection) {
    this.#connection = connection;
  }

  /** Locates the fragments of an organization in a collection. @returns undefined if the collection does not exist */
  async locateFragments(collection: Collection, { organizationId }: Tenant): Promise<TenantCollections | undefined> {
    const names = getCollectionNames(collection);
    const assignShard = await this.#findAssignment(names.fragments);
    return assignShard === undefined ? undefined : { ...names, shard: assignShard(organizationId) };
  }

  /**
   * Locates the fragments of an organization in an existing collection.
   *
   * @throws Error if the collection does not exist
   */
  async locateExistingFragments(collection: Collection, { organizationId }: Tenant): Promise<TenantCollections> {
    const names = getCollectionNames(collection);
    return { ...names, shard: (await this.getAssignment(names))(organizationId) };
  }

  /** Returns the shard assignment of an existing collection. @throws Error if the collection does not exist */
  async getAssignment({ fragments }: CollectionNames): Promise<ShardAssignment> {
    const assignShard = await this.#findAssignment(fragments);
    if (assignShard === undefined) throw new Error(`expected the Qdrant collection ${fragments} to exist, found none`);
    return assignShard;
  }

  async #findAssignment(name: string): Promise<ShardAssignment | undefined> {
    const known = this.#assignments.get(name);
    if (known !== undefined) return known;
    const read = await readShardAssignment(this.#connection, name);
    if (read !== undefined) this.#assignments.set(name, read);
    return read;
  }
}
