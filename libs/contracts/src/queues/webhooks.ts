import { IsNotEmpty, IsString, Type, ValidateNested } from '@quarry/validation';
import { WebhookEvent } from './webhook-event.js';
import { STANDARD_RETENTION, type QueueContract } from './queue-contract.js';

/** Describes the job that delivers one event to one webhook. The URL and the secret are read at delivery time. */
export class DeliverWebhook {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly webhookId: string;

  /** Identifies the event. It stays the same for all attempts, so that receivers can detect duplicates. */
  @IsString()
  @IsNotEmpty()
  readonly eventId: string;

  @ValidateNested()
  @Type(() => WebhookEvent)
  readonly event: WebhookEvent;
}

export type WebhookJobs = { readonly 'deliver-webhook': DeliverWebhook };

/** Retries for about a day, so that a customer's server can be unavailable overnight. */
const FOR_A_DAY = { attempts: 32, backoff: { delayMs: 5_000, maxDelayMs: 3_600_000, jitter: 0.3 } } as const;

export const webhookQueue: QueueContract<WebhookJobs> = {
  name: 'webhooks',
  jobs: {
    'deliver-webhook': { payload: DeliverWebhook, id: (job) => `${job.eventId}.${job.webhookId}`, ...FOR_A_DAY },
  },
  ...STANDARD_RETENTION,
};
