import { type AttemptErrorCode, type DeliverWebhook, TEST_EVENT } from '@quarry/contracts';
import { DecryptionFailed } from '@quarry/encrypted-secrets';
import { FetchRefused, isFetchError, type FetchError, type SafeResponse } from '@quarry/safe-fetch';
import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import type { StoredTry } from '../database/tables/webhook-deliveries.js';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import {
  deleteDelivery,
  makeDeliveryDue,
  releaseDeliveryClaim,
  renewDeliveryClaim,
  type Attempt,
} from './deliveries.js';
import { getDeliveredEvent } from './event.js';
import { recordAttempt } from './record-attempt.js';
import { readResponseStart } from './response-start.js';
import { decryptValidSecrets } from './rotate-webhook-secret.js';
import { buildSignatureHeaders } from './signature.js';

export type DeliveryDependencies = Pick<
  Gateway,
  'db' | 'log' | 'clock' | 'secretCipher' | 'webhookFetch' | 'deliveriesDue'
>;

const DELIVERY_TIMEOUT_MS = 15_000;

/**
 * Makes one attempt to deliver an event, with a new signature and the current settings of the webhook. A job without an
 * attempt number, which an earlier version of Quarry has enqueued, only makes its delivery due. If the attempt is out
 * of date, for example because its claim has expired, the job changes nothing.
 *
 * @throws when the attempt was aborted or could not be recorded
 */
export async function deliverWebhook(
  dependencies: DeliveryDependencies,
  job: DeliverWebhook,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, deliveriesDue } = dependencies;
  const { webhookId, eventId, attempt } = job;
  if (attempt === undefined) await makeDeliveryDue(db, job, clock());
  else await attemptDelivery(dependencies, job, { webhookId, eventId, attempt }, signal);
  deliveriesDue.wake();
}

async function attemptDelivery(
  dependencies: DeliveryDependencies,
  job: DeliverWebhook,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = dependencies;
  if (!(await renewDeliveryClaim(db, attempt, clock()))) return;
  const webhook = await findReceiver(db, job);
  if (webhook === undefined) return deleteDelivery(db, attempt);
  const event = getDeliveredEvent(job);
  // Since the job was enqueued, a failure of another attempt may have paused or disabled the webhook.
  const isPaused = webhook.pausedUntil !== null && webhook.pausedUntil > clock();
  if (event.type !== TEST_EVENT && (!webhook.enabled || isPaused)) return releaseDeliveryClaim(db, attempt);
  const body = JSON.stringify(event);
  const storedTry = await sendEventToWebhook(dependencies, webhook, { ...attempt, body }, signal);
  await recordAttempt(dependencies, attempt, event.type, storedTry);
}

/** Returns the webhook of a delivery, or undefined if the webhook or its organization was deleted. */
async function findReceiver(
  db: Queries,
  { organizationId, webhookId }: Pick<DeliverWebhook, 'organizationId' | 'webhookId'>,
): Promise<WebhookRow | undefined> {
  const [row] = await db
    .select(getTableColumns(webhooks))
    .from(webhooks)
    .innerJoin(organizations, eq(organizations.id, webhooks.organizationId))
    .where(
      and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, webhookId), isNull(organizations.removedAt)),
    );
  return row;
}

async function sendEventToWebhook(
  { webhookFetch, secretCipher, clock, log }: DeliveryDependencies,
  webhook: WebhookRow,
  { attempt, eventId, body }: Attempt & { readonly body: string },
  signal: AbortSignal,
): Promise<StoredTry> {
  const now = clock();
  const { id: webhookId, organizationId, url } = webhook;
  const startedAt = performance.now();
  const buildTry = () => ({
    ...{ attempt, at: now.toISOString(), url },
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    const signature = buildSignatureHeaders(decryptValidSecrets(secretCipher, webhook, now), eventId, now, body);
    const response = await webhookFetch.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signature },
      body,
      signal,
      limits: { totalMs: DELIVERY_TIMEOUT_MS },
      // Redirects are not followed, because the receiver at another address must not get an event that is signed for
      // this address.
      followRedirect: false,
    });
    return { ...buildTry(), ...describeResponseStatus(response), responseBody: await readResponseStart(response) };
  } catch (error) {
    if (signal.aborted) throw error;
    const failed = { ...buildTry(), status: null, responseBody: null };
    if (isFetchError(error)) return { ...failed, error: error.message, errorCode: getAttemptErrorCode(error) };
    if (!(error instanceof DecryptionFailed)) throw error;
    log.error({ webhookId, organizationId, err: error }, 'the secret of a webhook cannot be decrypted');
    const message = 'the secret of the webhook cannot be decrypted: rotate the secret';
    return { ...failed, error: message, errorCode: 'secret_unreadable' };
  }
}

function describeResponseStatus({ status }: SafeResponse): Pick<StoredTry, 'status' | 'error' | 'errorCode'> {
  const isAccepted = status >= 200 && status < 300;
  if (isAccepted) return { status, error: null, errorCode: null };
  return { status, error: `expected a status 2xx, found ${status}`, errorCode: 'unexpected_status' };
}

/**
 * Converts the error of an attempt that received no complete response to the error code that is stored. A response that
 * is too large is not an error of the address, so that the event is sent again.
 */
function getAttemptErrorCode(error: FetchError): AttemptErrorCode {
  if (error instanceof FetchRefused) return error.code === 'too_large' ? 'invalid_response' : 'address_refused';
  const { code } = error;
  const isAboutContent = code === 'bad_response' || code === 'decompression_failed' || code === 'aborted';
  return isAboutContent ? 'invalid_response' : code;
}
