import type { BlobStore } from '@quarry/blob-store';
import type { Queues } from '@quarry/queue';
import type { SafeFetch } from '@quarry/safe-fetch';
import type { SecretCipher } from '@quarry/encrypted-secrets';
import type { Log, Metrics } from '@quarry/service-kit';
import type { OpenAnswers } from './answering/open-answers.js';
import type { Queries } from './database/database.js';
import type { Signal } from './outbox/outbox.js';
import type { QueryService } from './query-service/connect-query-service.js';
import type { RateLimiter } from './rate-limit/rate-limiter.js';
import type { GatewaySettings } from './settings.js';

/** Holds the dependencies and settings of the gateway. Functions declare the fields that they need with `Pick<Gateway, …>`. */
export interface Gateway extends GatewaySettings {
  readonly db: Queries;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  readonly queryService: QueryService;
  /** Encrypts the secrets of customers. The service that needs one decrypts it. */
  readonly secretCipher: Pick<SecretCipher, 'encrypt' | 'decrypt'>;
  /** Sends requests to the webhooks of customers. */
  readonly webhookFetch: Pick<SafeFetch, 'fetch'>;
  /** Undefined: the request rate is not limited. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: () => Date;
  /** Signals that a committed transaction has written to the outbox. */
  readonly outboxWritten: Signal;
  /** Signals that deliveries to webhooks may be due. */
  readonly deliveriesDue: Signal;
  /** Signals that an evaluation waits. */
  readonly evaluationsDue: Signal;
  readonly answers: OpenAnswers;
}
