export interface QdrantOptions {
  /** URL of the server, such as `https://qdrant.example.com:6333`. Default port: 6333. */
  readonly url: string;
  readonly apiKey?: string;
  /** Layout of new collections. Existing collections keep their layout. */
  readonly layout?: Partial<CollectionLayout>;
  /** If true, opening the store upgrades collections of earlier versions of Quarry. Set it for stores that write. */
  readonly upgrade?: boolean;
  readonly timing?: Partial<Timing>;
  readonly log?: StoreLog;
}

/** Receives warnings about background work that failed and will be retried. */
export interface StoreLog {
  warn(details: object, message: string): void;
}

export interface CollectionLayout {
  readonly shards: number;
  /**
   * If true, each organization belongs to one shard: to a shard of its own if the operator created one, otherwise to a
   * shared shard. If false, the server distributes fragments over all shards by their ids. True requires the cluster
   * mode of Qdrant, even for a single node.
   */
  readonly tenantShards: boolean;
  readonly replicas: number;
  /**
   * If true, vectors are stored on disk, and a copy with one byte per dimension is in memory for the first comparison
   * of a search.
   */
  readonly quantized: boolean;
}

/** Describes time limits in milliseconds. */
export interface Timing {
  /** Maximum duration of a request to the server. */
  readonly requestTimeoutMs: number;
  /** Time for which a request is retried after temporary failures. */
  readonly retryMs: number;
  /**
   * Minimum time for which replaced fragments are retained, because active searches may still read them. A search that
   * takes longer starts again. All stores of an installation need the same value.
   */
  readonly graceMs: number;
}

export const DEFAULT_LAYOUT: CollectionLayout = { shards: 1, tenantShards: false, replicas: 1, quantized: false };

export const DEFAULT_TIMING: Timing = { requestTimeoutMs: 60_000, retryMs: 5_000, graceMs: 10_000 };
