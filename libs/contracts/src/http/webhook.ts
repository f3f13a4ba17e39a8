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
import { SETTLED_STATUSES, type SettledStatus } from '../datasource/datasource.js';

/** What a webhook can be told of: a run of a datasource ended in this status. */
export const WEBHOOK_EVENTS = SETTLED_STATUSES.map((status) => `datasource.${status}` as const);
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

const MAX_URL = 2_000;

/** Body of `POST /webhooks`. */
export class CreateWebhookRequest {
  @Describe('Where events are sent, by POST. An address that everybody can reach.')
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(MAX_URL)
  readonly url: string;

  @Describe('Absent: all.')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  readonly events?: readonly WebhookEventType[] | null;
}

/** Body of `PATCH /webhooks/{id}`: what is absent stays as it is. */
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

  @Describe('False: nothing is sent.')
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | null;
}

@Describe('How the latest try to send an event went.')
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
  @Describe('What was answered; null: nothing was.')
  readonly status: number | null;

  @OrNull()
  @IsString()
  @Describe('Why it was not delivered.')
  readonly message: string | null;
}

@Describe('Where events are sent.')
export class WebhookResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly url: string;

  @IsArray()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  readonly events: readonly WebhookEventType[];

  @IsBoolean()
  @Describe('Set to false by Quarry, too: by an address that answers 410.')
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
  @Describe('What events are signed with: `whsec_` and the key in base64. Shown this once.')
  readonly secret: string;
}

@Describe('What an event says of a datasource.')
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
  @Describe('Why it is not `synched`.')
  readonly code: string | null;

  @OrNull()
  @IsString()
  readonly message: string | null;
}

@Describe('The body of what is sent to a webhook.')
export class WebhookEvent {
  @IsIn(WEBHOOK_EVENTS)
  readonly type: WebhookEventType;

  @IsISO8601()
  @Describe('When it happened.')
  readonly timestamp: string;

  @ValidateNested()
  @Type(() => WebhookDatasource)
  readonly data: WebhookDatasource;
}
