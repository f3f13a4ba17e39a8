import { Describe, IsIn, IsISO8601, IsString, OrNull, Type, ValidateNested } from '@quarry/validation';
import { SETTLED_STATUSES, type SettledStatus } from '../datasource/type-and-status.js';

/**
 * Lists the events to which webhooks can subscribe. Each event means that a run of a datasource has ended with the
 * status in the name of the event.
 */
export const WEBHOOK_EVENTS = SETTLED_STATUSES.map((status) => `datasource.${status}` as const);

export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** Type of test events. Webhooks cannot subscribe to it, because test events are sent only on request. */
export const TEST_EVENT = 'webhook.test';
/** Lists the types of all events that webhooks can receive. */
export const DELIVERED_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
export type DeliveredEventType = (typeof DELIVERED_EVENTS)[number];

@Describe('The datasource that an event is about.')
export class WebhookDatasource {
  @IsString()
  readonly datasourceId: string;

  @IsString()
  readonly datastoreId: string;

  @IsString()
  readonly runId: string;

  @IsString()
  readonly name: string;

  @OrNull()
  @IsString()
  readonly customId: string | null;

  @IsIn(SETTLED_STATUSES)
  readonly status: SettledStatus;

  @OrNull()
  @IsString()
  @Describe('Reason code if the status is not `synched`.')
  readonly code: string | null;

  @OrNull()
  @IsString()
  readonly message: string | null;
}

@Describe('Body of a request to a webhook.')
export class WebhookEvent {
  @IsIn(WEBHOOK_EVENTS)
  readonly type: WebhookEventType;

  @IsISO8601()
  @Describe('Time of the event.')
  readonly timestamp: string;

  @ValidateNested()
  @Type(() => WebhookDatasource)
  readonly data: WebhookDatasource;
}

@Describe('The webhook that a test event is sent to.')
export class TestedWebhook {
  @IsString()
  readonly webhookId: string;
}

@Describe('Body of a test request to a webhook.')
export class WebhookTestEvent {
  @IsIn([TEST_EVENT])
  readonly type: typeof TEST_EVENT;

  @IsISO8601()
  @Describe('Time of the event.')
  readonly timestamp: string;

  @ValidateNested()
  @Type(() => TestedWebhook)
  readonly data: TestedWebhook;
}
