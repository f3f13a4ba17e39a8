import { DecryptionFailed, type SecretCipher } from '@quarry/encrypted-secrets';
import { eq, lte } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { type PreviousSecret, webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import { problem } from '../problems.js';
import { makeDeliveriesDue } from './deliveries.js';
import { HEALTHY } from './receiver-state.js';
import { decryptWebhookSecret, encryptWebhookSecret, generateWebhookSecret } from './webhook-secret.js';

/**
 * Time in milliseconds for which requests are also signed with a replaced secret. Source: Standard Webhooks 1.0,
 * "Secret rotation".
 */
export const PREVIOUS_SECRET_MS = 86_400_000;
/** Maximum number of replaced secrets that are valid at once. Each of them adds a signature to every request. */
export const MAX_PREVIOUS_SECRETS = 2;

type SecretColumns = Pick<WebhookRow, 'id' | 'organizationId' | 'encryptedSecret' | 'previousSecrets'>;

/**
 * Decrypts the secrets of a webhook with which requests are signed: the current secret, then earlier secrets that are
 * still valid.
 *
 * @throws DecryptionFailed if the current secret cannot be decrypted
 */
export function decryptValidSecrets(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  webhook: SecretColumns,
  now: Date,
): readonly string[] {
  const current = decryptWebhookSecret(secretCipher, webhook, webhook.encryptedSecret);
  const earlier = selectValidSecrets(webhook, now).flatMap(
    ({ encrypted }) => decryptIfPossible(secretCipher, webhook, encrypted) ?? [],
  );
  return [current, ...earlier];
}

/** Decrypts a secret of a webhook. Returns undefined if it cannot be decrypted, because its encryption key was removed. */
function decryptIfPossible(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  webhook: SecretColumns,
  encrypted: string,
): string | undefined {
  try {
    return decryptWebhookSecret(secretCipher, webhook, encrypted);
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
    return undefined;
  }
}

/**
 * Returns the time at which the last replaced secret of a webhook expires, or null if no replaced secret is still
 * valid.
 */
export function getPreviousSecretExpiry(webhook: Pick<WebhookRow, 'previousSecretsUntil'>, now: Date): string | null {
  const until = webhook.previousSecretsUntil;
  return until !== null && until > now ? until.toISOString() : null;
}

/**
 * A new secret of a webhook, and the time until which replaced secrets stay valid. Null: no replaced secret is valid.
 */
interface NewSecret {
  readonly secret: string;
  readonly previousSecretsUntil: Date | null;
}

/**
 * Replaces the secret of a webhook. The replaced secret stays valid for a day, so that the operator of the receiver has
 * a day to install the new one. A replaced secret that cannot be decrypted becomes invalid at once. Because it has
 * prevented all requests, its rotation also clears the failures of the webhook, and makes its waiting events due.
 *
 * @param tx a transaction, in which the webhook was found
 * @param revokePrevious true: the replaced secret and all earlier secrets become invalid at once
 * @throws Problem 409 if `MAX_PREVIOUS_SECRETS` replaced secrets are still valid and `revokePrevious` is false
 */
export async function rotateWebhookSecret(
  tx: Queries,
  secretCipher: Pick<SecretCipher, 'encrypt' | 'decrypt'>,
  id: string,
  { revokePrevious, now }: { readonly revokePrevious: boolean; readonly now: Date },
): Promise<NewSecret> {
  // Locks the webhook, so that concurrent rotations run one after the other and no secret is lost.
  const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('no key update');
  if (webhook === undefined) throw new Error(`expected a row of webhook ${id}, found none`);
  const previousSecrets = revokePrevious ? [] : listPreviousSecrets(secretCipher, webhook, now);
  const secret = generateWebhookSecret();
  const previousSecretsUntil = previousSecrets[0] === undefined ? null : new Date(previousSecrets[0].expiresAt);
  const encryptedSecret = encryptWebhookSecret(secretCipher, webhook, secret);
  const isRepair = decryptIfPossible(secretCipher, webhook, webhook.encryptedSecret) === undefined;
  await tx
    .update(webhooks)
    .set({ encryptedSecret, previousSecrets, previousSecretsUntil, ...(isRepair ? HEALTHY : {}) })
    .where(eq(webhooks.id, id));
  if (isRepair) await makeDeliveriesDue(tx, id);
  return { secret, previousSecretsUntil };
}

/**
 * Lists the replaced secrets that are valid after a rotation, newest first.
 *
 * @throws Problem 409 if `MAX_PREVIOUS_SECRETS` replaced secrets are already valid before the rotation
 */
function listPreviousSecrets(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  webhook: SecretColumns,
  now: Date,
): PreviousSecret[] {
  const expiresAt = new Date(now.getTime() + PREVIOUS_SECRET_MS).toISOString();
  const replaced = { encrypted: webhook.encryptedSecret, expiresAt };
  const previous = [replaced, ...selectValidSecrets(webhook, now)].filter(
    ({ encrypted }) => decryptIfPossible(secretCipher, webhook, encrypted) !== undefined,
  );
  if (previous.length > MAX_PREVIOUS_SECRETS) {
    const end = previous.at(-1)?.expiresAt ?? '';
    throw problem(
      'too_many_secrets',
      `At most ${MAX_PREVIOUS_SECRETS} earlier secrets can be valid, found ${previous.length - 1}. Rotate again after ${end}, or revoke them with revokePrevious.`,
    );
  }
  return previous;
}

function selectValidSecrets({ previousSecrets }: SecretColumns, now: Date): readonly PreviousSecret[] {
  return previousSecrets.filter(({ expiresAt }) => new Date(expiresAt) > now);
}

/** Deletes the replaced secrets of each webhook whose newest replaced secret has expired. */
export async function removeExpiredSecrets(db: Queries, now: Date): Promise<void> {
  await db
    .update(webhooks)
    .set({ previousSecrets: [], previousSecretsUntil: null })
    .where(lte(webhooks.previousSecretsUntil, now));
}
