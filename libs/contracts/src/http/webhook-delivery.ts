import {
  BooleanFromText,
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { DELIVERED_EVENTS, type DeliveredEventType } from '../queues/webhook-event.js';
import { PageQuery } from './pagination.js';

/**
 * Lists the states of the delivery of an event to a webhook. `delivered` and `failed` are final, unless the delivery is
 * resent.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Lists the states of deliveries that have ended. Only these deliveries can be resent. */
export const ENDED_DELIVERY_STATES = ['delivered', 'failed'] as const;
export type EndedDeliveryState = (typeof ENDED_DELIVERY_STATES)[number];

/**
 * Lists the reasons for which a delivery failed. `receiver_gone`: the webhook responded with 410. `address_refused`:
 * requests to its address are not allowed.
 */
const DELIVERY_FAILURES = ['attempts_exhausted', 'receiver_gone', 'address_refused'] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** Lists the reasons for which one attempt to deliver an event failed. */
const ATTEMPT_ERROR_CODES = [
  'unexpected_status',
  'timeout',
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'connection_lost',
  'invalid_response',
  'address_refused',
  'secret_unreadable',
] as const;
export type AttemptErrorCode = (typeof ATTEMPT_ERROR_CODES)[number];

/** Maximum number of attempts that are stored per delivery. Older attempts are deleted. */
export const MAX_STORED_TRIES = 10;
/** Maximum number of characters that are stored of a webhook's response body. */
export const MAX_RESPONSE_CHARACTERS = 1_000;
/** Maximum number of deliveries that one request resends. */
export const MAX_RESENT_DELIVERIES = 1_000;

/** Describes the query of `GET /webhooks/{id}/deliveries`. */
export class DeliveryListQuery extends PageQuery {
  @IsOptional()
  @IsIn(DELIVERY_STATES)
  readonly state?: DeliveryState;

  @Describe('Type of the event.')
  @IsOptional()
  @IsIn(DELIVERED_EVENTS)
  readonly type?: DeliveredEventType;
}

@Describe('One attempt to deliver an event.')
export class DeliveryTry {
  @IsInt()
  @Min(1)
  @Describe(
    'Number of the attempt, from 1. Numbers of attempts that did not start, or whose outcome was lost, are absent.',
  )
  readonly attempt: number;

  @IsISO8601()
  @Describe('Time of the request.')
  readonly at: string;

  @IsString()
  @Describe('URL that the request was sent to.')
  readonly url: string;

  @OrNull()
  @IsInt()
  @Describe('Status code of the response. Null if there was no response.')
  readonly status: number | null;

  @IsInt()
  @Min(0)
  @Describe('Milliseconds until the response or the error.')
  readonly durationMs: number;

  @OrNull()
  @IsString()
  @Describe('Why the attempt failed. Null if the event was accepted.')
  readonly error: string | null;

  @OrNull()
  @IsIn(ATTEMPT_ERROR_CODES)
  @Describe(
    'Code of the error. `unexpected_status`: the status is not 2xx. `invalid_response`: the response is not valid HTTP, or it is too large. `address_refused`: requests to this address are not allowed. `secret_unreadable`: no request was sent, because the secret cannot be decrypted; rotate it. Null if the event was accepted, and for attempts of an earlier version.',
  )
  readonly errorCode: AttemptErrorCode | null;

  @OrNull()
  @IsString()
  @Describe(
    `Beginning of the response body, up to ${MAX_RESPONSE_CHARACTERS} characters. Null if it is empty or its Content-Type is not text, JSON or XML.`,
  )
  readonly responseBody: string | null;
}

@Describe('An event, and the attempts to deliver it to a webhook.')
export class DeliveryResponse {
  @IsString()
  @Describe('Id of the event: the `webhook-id` of each request.')
  readonly id: string;

  @IsIn(DELIVERED_EVENTS)
  readonly type: DeliveredEventType;

  @IsISO8601()
  @Describe('Time of the event.')
  readonly createdAt: string;

  @IsIn(DELIVERY_STATES)
  @Describe(
    '`waiting`: an attempt is due, in progress or scheduled. `delivered`: the URL accepted the event. `failed`: no more attempts are made.',
  )
  readonly state: DeliveryState;

  @OrNull()
  @IsIn(DELIVERY_FAILURES)
  @Describe(
    'Why the delivery failed. `attempts_exhausted`: all attempts failed. `receiver_gone`: the URL responded with 410. `address_refused`: requests to the address are not allowed.',
  )
  readonly failure: DeliveryFailure | null;

  @OrNull()
  @IsISO8601()
  @Describe(
    'When the next attempt is due. It starts later if the webhook is paused or disabled, or if other events wait. Null if none is due.',
  )
  readonly nextAttemptAt: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('When the event was accepted or the delivery failed. Null while it waits.')
  readonly endedAt: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DeliveryTry)
  @Describe(`The latest ${MAX_STORED_TRIES} attempts, oldest first. They include those before the delivery was resent.`)
  readonly tries: readonly DeliveryTry[];
}

@Describe('The request that is sent to the webhook in each attempt.')
export class DeliveryRequest {
  @IsObject()
  @Describe(
    'The headers of the latest attempt. Signatures are replaced by `…`. `webhook-timestamp` and `webhook-signature` are absent before the first attempt.',
  )
  readonly headers: Readonly<Record<string, string>>;

  @IsString()
  @Describe('The body, as it is signed and sent.')
  readonly body: string;
}

@Describe('A delivery with its request.')
export class DeliveryDetailResponse extends DeliveryResponse {
  @ValidateNested()
  @Type(() => DeliveryRequest)
  readonly request: DeliveryRequest;
}

/** Describes the body of `POST /webhooks/{id}/resend`. */
export class ResendDeliveriesRequest {
  @IsISO8601({ strict: true })
  @Describe('Resends events that were created at this time or later. Without an offset, the time is in UTC.')
  readonly since: string;

  @Describe('Resends only deliveries in this state. Default: all that have ended.')
  @IsOptional()
  @IsIn(ENDED_DELIVERY_STATES)
  readonly state?: EndedDeliveryState | null;

  @Describe('`next_cursor` of the previous response. Default: the oldest events.')
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly cursor?: string | null;
}

@Describe('The number of deliveries that are resent.')
export class ResendDeliveriesResponse {
  @IsInt()
  @Min(0)
  @Describe(`Number of deliveries that this request resends, at most ${MAX_RESENT_DELIVERIES}.`)
  readonly resent: number;

  @OrNull()
  @IsString()
  @Describe('Selects the remaining deliveries when it is sent as `cursor`. Null if none remain.')
  readonly next_cursor: string | null;
}

/** Describes the query of `POST /webhooks/{id}/rotate-secret`. */
export class RotateSecretQuery {
  @Describe('If true, earlier secrets become invalid at once. Use it if a secret was disclosed. Default: false.')
  @IsOptional()
  @BooleanFromText()
  readonly revokePrevious?: boolean;
}

@Describe('A new secret of a webhook.')
export class RotatedSecretResponse {
  @IsString()
  @Describe('The new secret: `whsec_` followed by the key in base64. It is shown only once.')
  readonly secret: string;

  @OrNull()
  @IsISO8601()
  @Describe('Until this time, requests also have the signature of the previous secret. Null if it was revoked.')
  readonly previousSecretExpiresAt: string | null;
}
