import type { BlobStore } from '@quarry/blob-store';
import type { LocalModelsResponse } from '@quarry/contracts';
import type { Queues } from '@quarry/queue';
import type { SafeFetch } from '@quarry/safe-fetch';
import type { SecretCipher } from '@quarry/encrypted-secrets';
import type { Log, Metrics } from '@quarry/service-kit';
import type { LiveAnswer } from './answering/live-answer.js';
import type { OpenAnswers } from './answering/open-answers.js';
import type { Queries } from './database/database.js';
import type { NotificationListener } from './database/notification-listener.js';
import type { LabelCache } from './datasources/label-cache.js';
import type { OrganizationLimiter } from './concurrency/organization-limiter.js';
import type { ChangePublisher } from './changes/change-publisher.js';
import type { EventStreams } from './live-events/event-streams.js';
import type { Signal } from './outbox/outbox.js';
import type { PageRenders } from './page-pictures/page-renders.js';
import type { QueryService } from './query-service/connect-query-service.js';
import type { KeyCache } from './keys/key-cache.js';
import type { RefusalCounter } from './keys/refusal-counter.js';
import type { RateLimiter } from './rate-limit/rate-limiter.js';
import type { SpeculativeSearches } from './searching/speculative-search.js';
import type { GatewaySettings } from './settings.js';
import type { StoredConnections } from './model-connections/stored-connections.js';
import type { SystemState } from './system/system-state.js';

/**
 * Holds the dependencies and settings of the gateway. Functions declare the fields that they need with
 * `Pick<Gateway, …>`.
 */
export interface Gateway extends GatewaySettings {
  readonly db: Queries;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  readonly queryService: QueryService;
  /** Starts searches while the state of their datastores is still being read from the database. */
  readonly speculativeSearches: SpeculativeSearches;
  /**
   * Encrypts the headers of listings, the secrets of webhooks and the API keys of models. The catalog sync decrypts the
   * headers, and the gateway decrypts the secrets and the API keys.
   */
  readonly secretCipher: Pick<SecretCipher, 'encrypt' | 'decrypt'>;
  /** The HTTP client for requests to the webhooks of customers. */
  readonly webhookFetch: Pick<SafeFetch, 'fetch'>;
  /** The HTTP client for requests to the item listings of customers. */
  readonly listingFetch: Pick<SafeFetch, 'fetch'>;
  /** Limits the number of concurrent dry runs of listings, per organization and in total. */
  readonly dryRunLimiter: OrganizationLimiter;
  /** Limits the requests per API key. Undefined: there is no limit. */
  readonly rateLimiter: RateLimiter | undefined;
  /** Receives notifications of those changes in the database that make cached values invalid. */
  readonly notifications: NotificationListener;
  /** Finds API keys by their hashes. */
  readonly keys: KeyCache;
  /** Finds the labels of datasources: the fields that search results contain, such as the name. */
  readonly labels: LabelCache;
  /** Counts the requests with invalid or missing credentials per client address. */
  readonly refusals: RefusalCounter;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: () => Date;
  /** Signals that a committed transaction has written to the outbox. */
  readonly outboxWritten: Signal;
  /** Signals that deliveries to webhooks may be due. */
  readonly deliveriesDue: Signal;
  /** Signals that an evaluation is waiting to be run. */
  readonly evaluationsDue: Signal;
  readonly answers: OpenAnswers;
  /** The resumable answers that this gateway generates, keyed by message id. */
  readonly liveAnswers: Map<string, LiveAnswer>;
  readonly liveEvents: EventStreams;
  /** Publishes changes to the event streams of all gateways. */
  readonly changes: Pick<ChangePublisher, 'publish' | 'close'>;
  readonly pageRenders: PageRenders;
  /** Reads the state of the installation. */
  readonly system: SystemState;
  readonly storedConnections: StoredConnections;
  /** Finds the Ollama server of this machine, and its models. */
  readonly findLocalModels: () => Promise<LocalModelsResponse>;
}
