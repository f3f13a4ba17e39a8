import {
  ArrayMinSize,
  ArrayUnique,
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { IsWebUrl } from './is-web-url.js';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../queues/webhook-event.js';

const MAX_URL = 2_000;
/**
 * Maximum number of events waiting for delivery that are counted per webhook. A count of this value means this number
 * or more.
 */
export const MAX_COUNTED_EVENTS = 1_000;

/** Describes the body of `POST /webhooks`. */
export class CreateWebhookRequest {
  @Describe('URL that receives the events by POST. It must be publicly reachable.')
  @IsWebUrl()
  @MaxLength(MAX_URL)
  readonly url: string;

  @Describe('Default: all events.')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  readonly events?: readonly WebhookEventType[] | null;
}

/** Describes the body of `PATCH /webhooks/{id}`. Absent fields stay unchanged. */
export class UpdateWebhookRequest {
  @IsOptional()
  @IsWebUrl()
  @MaxLength(MAX_URL)
  readonly url?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  readonly events?: readonly WebhookEventType[] | null;

  @Describe(
    'If false, no events are sent. If true, events that still wait are sent at once, also to a URL that was failing.',
  )
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | null;
}

@Describe('The latest attempt to deliver an event.')
export class WebhookDelivery {
  @IsISO8601()
  readonly at: string;

  @IsString()
  @Describe('The `webhook-id` of the event.')
  readonly eventId: string;

  @IsBoolean()
  readonly delivered: boolean;

  @OrNull()
  @IsInt()
  @Describe('Status code of the response. Null if there was no response.')
  readonly status: number | null;

  @OrNull()
  @IsString()
  @Describe('Reason why the delivery failed.')
  readonly message: string | null;
}

/**
 * Lists the reasons for which Quarry disables a webhook. `receiver_gone`: its URL responded with 410.
 * `receiver_failing`: all attempts failed for days.
 */
const WEBHOOK_DISABLED_CODES = ['receiver_gone', 'receiver_failing'] as const;

@Describe('Why Quarry disabled the webhook.')
export class WebhookDisabledReason {
  @IsIn(WEBHOOK_DISABLED_CODES)
  @Describe('`receiver_gone`: the URL responded with 410. `receiver_failing`: all attempts failed for 5 days.')
  readonly code: (typeof WEBHOOK_DISABLED_CODES)[number];

  @IsString()
  readonly message: string;

  @IsISO8601()
  readonly at: string;
}

@Describe('A webhook: a URL that receives events.')
export class WebhookResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly url: string;

  @IsArray()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  readonly events: readonly WebhookEventType[];

  @IsBoolean()
  @Describe('Quarry sets it to false when the URL responds with 410, or when all attempts fail for 5 days.')
  readonly enabled: boolean;

  @OrNull()
  @ValidateNested()
  @Type(() => WebhookDisabledReason)
  readonly disabledReason: WebhookDisabledReason | null;

  @OrNull()
  @IsISO8601()
  @Describe('Time of the first failed attempt since the latest success. Null if the latest attempt succeeded.')
  readonly failingSince: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('No event is sent before this time, because the latest attempt failed.')
  readonly pausedUntil: string | null;

  @IsInt()
  @Min(0)
  @Max(MAX_COUNTED_EVENTS)
  @Describe(
    `Number of events that the URL has not accepted yet. The value ${MAX_COUNTED_EVENTS} means ${MAX_COUNTED_EVENTS} or more.`,
  )
  readonly waiting: number;

  @OrNull()
  @ValidateNested()
  @Type(() => WebhookDelivery)
  readonly lastDelivery: WebhookDelivery | null;

  @OrNull()
  @IsISO8601()
  @Describe('Until this time, requests also have the signatures of earlier secrets. Null if there are none.')
  readonly previousSecretExpiresAt: string | null;

  @IsISO8601()
  readonly createdAt: string;
}

@Describe('A new webhook.')
export class CreatedWebhookResponse extends WebhookResponse {
  @IsString()
  @Describe('Secret for verifying event signatures: `whsec_` followed by the key in base64. It is shown only once.')
  readonly secret: string;
}
