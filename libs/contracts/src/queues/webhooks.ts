import { IsNotEmpty, IsString, Type, ValidateNested } from '@quarry/validation';
import { WebhookEvent } from '../http/webhook.js';
import { STANDARD_RETENTION, type QueueContract } from './queue-contract.js';

/** Tell one webhook of one event. Where to, and what it is signed with, is looked up when it is sent. */
export class DeliverWebhook {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly webhookId: string;

  /** The same for every try: who is told twice can see it. */
  @IsString()
  @IsNotEmpty()
  readonly eventId: string;

  @ValidateNested()
  @Type(() => WebhookEvent)
  readonly event: WebhookEvent;
}

export type WebhookJobs = { readonly 'deliver-webhook': DeliverWebhook };

/** About a day: a customer's server may be away for a night. */
const FOR_A_DAY = { attempts: 32, backoff: { delayMs: 5_000, maxDelayMs: 3_600_000, jitter: 0.3 } } as const;

export const webhookQueue: QueueContract<WebhookJobs> = {
  name: 'webhooks',
  jobs: {
    'deliver-webhook': { payload: DeliverWebhook, id: (job) => `${job.eventId}.${job.webhookId}`, ...FOR_A_DAY },
  },
  ...STANDARD_RETENTION,
};
