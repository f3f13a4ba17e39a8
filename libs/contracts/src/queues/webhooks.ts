import { IsInt, IsNotEmpty, IsOptional, IsString, Min, Type, ValidateIf, ValidateNested } from '@quarry/validation';
import { WebhookEvent, WebhookTestEvent } from './webhook-event.js';
import { STANDARD_RETENTION, type QueueContract } from './queue-contract.js';

/**
 * Describes the job of one attempt to deliver an event to a webhook. The gateway reads the URL and the secret of the
 * webhook when it sends the event.
 */
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

  /**
   * The number of the attempt to deliver the event, from 1. Absent in jobs of earlier versions of Quarry, which left
   * retries to the queue.
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly attempt?: number;

  /** The event to deliver. Absent in jobs of test events. */
  @ValidateIf(({ testEvent }: DeliverWebhook) => testEvent === undefined)
  @ValidateNested()
  @Type(() => WebhookEvent)
  readonly event?: WebhookEvent;

  /** The test event to deliver. Absent in other jobs. Earlier versions reject jobs with this field. */
  @IsOptional()
  @ValidateNested()
  @Type(() => WebhookTestEvent)
  readonly testEvent?: WebhookTestEvent;
}

export type WebhookJobs = { readonly 'deliver-webhook': DeliverWebhook };

/** Retry settings without retries, because the gateway enqueues a new job for each attempt. */
const ONCE = { attempts: 1, backoff: { delayMs: 0, maxDelayMs: 0, jitter: 0 } } as const;

export const webhookQueue: QueueContract<WebhookJobs> = {
  name: 'webhooks',
  jobs: { 'deliver-webhook': { payload: DeliverWebhook, buildId: buildDeliveryJobId, ...ONCE } },
  ...STANDARD_RETENTION,
};

function buildDeliveryJobId({ eventId, webhookId, attempt }: DeliverWebhook): string {
  return attempt === undefined ? `${eventId}.${webhookId}` : `${eventId}.${webhookId}.${attempt}`;
}
