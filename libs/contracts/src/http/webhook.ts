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
  IsUrl,
  MaxLength,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../queues/webhook-event.js';

const MAX_URL = 2_000;

/** Describes the body of `POST /webhooks`. */
export class CreateWebhookRequest {
  @Describe('URL that receives the events by POST. It must be publicly reachable.')
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
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
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(MAX_URL)
  readonly url?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  readonly events?: readonly WebhookEventType[] | null;

  @Describe('If false, no events are sent.')
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
  @Describe('Quarry sets it to false when the URL responds with 410.')
  readonly enabled: boolean;

  @OrNull()
  @ValidateNested()
  @Type(() => WebhookDelivery)
  readonly lastDelivery: WebhookDelivery | null;

  @IsISO8601()
  readonly createdAt: string;
}

@Describe('A new webhook.')
export class CreatedWebhookResponse extends WebhookResponse {
  @IsString()
  @Describe('Secret for verifying event signatures: `whsec_` followed by the key in base64. It is shown only once.')
  readonly secret: string;
}
