export interface QdrantOptions {
  /** Such as `https://qdrant.example.com:6333`. Without a port: 6333. */
  readonly url: string;
  readonly apiKey?: string;
  /** How a collection is laid out when it is made. One that exists keeps its layout. */
  readonly layout?: Partial<CollectionLayout>;
  /** For stores that write: what another version made is first brought up to what this one needs. */
  readonly upgrade?: boolean;
  readonly timing?: Partial<Timing>;
  readonly log?: StoreLog;
}

/** Hears of work in the background that failed and will be tried again. */
export interface StoreLog {
  warn(details: object, message: string): void;
}

export interface CollectionLayout {
  readonly shards: number;
  readonly replicas: number;
  /** Vectors are kept on disk, and compared first by a copy of one byte a dimension, which is kept in memory. */
  readonly quantized: boolean;
}

/** In milliseconds. */
export interface Timing {
  /** A request that takes longer has failed. */
  readonly requestLimit: number;
  /** A request that failed for a reason that may pass is repeated for so long. */
  readonly retryFor: number;
  /**
   * A version that was replaced stays there for so long, so that a search that was under way finds it whole; a search that
   * takes longer begins again. The same in every store of an installation.
   */
  readonly grace: number;
}

export const DEFAULT_LAYOUT: CollectionLayout = { shards: 1, replicas: 1, quantized: false };

export const DEFAULT_TIMING: Timing = { requestLimit: 60_000, retryFor: 5_000, grace: 10_000 };
