import { randomBytes } from 'node:crypto';
import { and, eq, getTableColumns, gt, isNull } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { apiKeys, type KeyRow } from '../database/tables/api-keys.js';
import { organizations } from '../database/tables/organizations.js';
import { signInCodes } from '../database/tables/sessions.js';
import { computeSha256 } from '../idempotency/claim.js';
import { findKeyByHash, hashApiKey } from '../keys/key-repository.js';
import { problem } from '../problems.js';

/** Time for which a one-time sign-in code is valid, in milliseconds. */
const CODE_MS = 10 * 60_000;
/**
 * Time in milliseconds for which sign-in codes are stored after they have expired. Until then, a request with the code
 * is refused as expired, not as unknown.
 */
export const CODE_RETENTION_MS = 24 * 3_600_000;

/** A one-time code with which a browser signs in. */
export interface SignInCode {
  readonly code: string;
  readonly expiresAt: Date;
}

/** Creates a one-time code that signs in with the permissions of an API key. Stores only a hash of the code. */
export async function createSignInCode(
  db: Queries,
  key: Pick<KeyRow, 'id' | 'organizationId'>,
  now: Date,
): Promise<SignInCode> {
  const code = randomBytes(24).toString('base64url');
  const expiresAt = new Date(now.getTime() + CODE_MS);
  const { id: apiKeyId, organizationId } = key;
  await db.insert(signInCodes).values({ codeHash: computeSha256(code), organizationId, apiKeyId, expiresAt });
  return { code, expiresAt };
}

/**
 * Returns the path of the sign-in page for a code. The code is in the URL fragment, after `#`. Browsers do not send
 * this part to servers, so logs do not contain the code.
 */
export function buildSignInPath(code: string): string {
  return `/signin#code=${code}`;
}

/**
 * Creates a one-time code for an API key. A browser can sign in once with the returned path, within ten minutes.
 *
 * @param apiKey the text of the key
 * @returns the path of the sign-in page
 */
export async function createSignInPath(db: Queries, apiKey: string): Promise<string> {
  const key = await findKeyByHash(db, hashApiKey(apiKey));
  if (key === undefined) throw new Error('expected a stored API key to sign in with, found an unknown API key');
  const { code } = await createSignInCode(db, key, new Date());
  return buildSignInPath(code);
}

/**
 * Checks a one-time code and marks it as used. Of two concurrent requests with the same code, only one succeeds.
 *
 * @returns the row of the API key for which the code was created
 * @throws Problem 401 for an unknown code; 410 for a code that was used or has expired
 */
export async function redeemSignInCode(db: Queries, code: string, now: Date): Promise<KeyRow> {
  const codeHash = computeSha256(code);
  const [redeemed] = await db
    .update(signInCodes)
    .set({ redeemedAt: now })
    .where(and(eq(signInCodes.codeHash, codeHash), isNull(signInCodes.redeemedAt), gt(signInCodes.expiresAt, now)))
    .returning({ apiKeyId: signInCodes.apiKeyId });
  if (redeemed === undefined) throw await createInvalidCodeProblem(db, codeHash);
  const [key] = await db
    .select(getTableColumns(apiKeys))
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(and(eq(apiKeys.id, redeemed.apiKeyId), isNull(organizations.removedAt)));
  if (key === undefined) throw createUnknownCodeProblem();
  return key;
}

async function createInvalidCodeProblem(db: Queries, codeHash: string): Promise<Error> {
  const [found] = await db.select().from(signInCodes).where(eq(signInCodes.codeHash, codeHash));
  if (found === undefined) return createUnknownCodeProblem();
  if (found.redeemedAt !== null) {
    return problem(
      'sign_in_code_used',
      `The code was used at ${found.redeemedAt.toISOString()}, and a code signs in once. Sign in with an API key or a new code.`,
    );
  }
  return problem(
    'sign_in_code_expired',
    `The code expired at ${found.expiresAt.toISOString()}. Sign in with an API key or a new code.`,
  );
}

function createUnknownCodeProblem(): Error {
  return problem('unauthorized', 'The code is unknown. Sign in with an API key or a new code.');
}
