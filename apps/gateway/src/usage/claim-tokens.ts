import { isSettledStatus, type ClaimTokens, type TokenClaim, type TokenGrant } from '@quarry/contracts';
import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { datasources } from '../database/tables/datasources.js';
import { buildPresentDatastoreCondition } from '../datastores/datastore-repository.js';
import { organizations } from '../database/tables/organizations.js';
import { tokenReservations, tokenTotals } from '../database/tables/token-reservations.js';
import { sumRemovedTokens } from './stored-content.js';
import type { ReservedDocument } from './settle-tokens.js';

/**
 * Creates the function with which workers that run in this process claim tokens, directly in the database instead of by
 * a request.
 */
export function createTokenClaimer({ db }: { readonly db: Queries }): ClaimTokens {
  return async (claim) => claimTokens(db, claim);
}

/**
 * Reserves the tokens of a document, unless the organization would exceed its limit of stored tokens. If the
 * organization has no limit, nothing is reserved, and the tokens are counted only when they are stored.
 */
export async function claimTokens(db: Queries, claim: TokenClaim): Promise<TokenGrant> {
  const { organizationId, datasourceId } = claim;
  if (!isId(organizationId) || !isId(datasourceId)) return buildMissingContentRefusal(claim);
  const [found] = await selectLimit(db).execute({ organizationId, datasourceId });
  if (found === undefined) return buildMissingContentRefusal(claim);
  return found.limit === null ? { granted: true } : reserveTokensWithinLimit(db, claim);
}

const selectLimit = cacheStatementPerDatabase((db) =>
  db
    .select({ limit: organizations.storedTokens })
    .from(datasources)
    .innerJoin(organizations, eq(organizations.id, datasources.organizationId))
    .where(
      and(
        eq(datasources.organizationId, sql.placeholder('organizationId')),
        eq(datasources.id, sql.placeholder('datasourceId')),
        buildPresentDatastoreCondition(),
      ),
    )
    .prepare(UNNAMED_STATEMENT),
);

/**
 * Reserves the tokens of a document within the token limit of the organization. While a new version of a document
 * replaces the stored version, the greater of the token counts of both versions is reserved.
 *
 * Locks the datasource first and the total of the organization last. All transactions use this order, so a removal runs
 * either before or after the claim.
 */
async function reserveTokensWithinLimit(db: Queries, claim: TokenClaim): Promise<TokenGrant> {
  const { organizationId, datasourceId, tokens } = claim;
  return db.transaction(async (tx) => {
    const isThis = and(
      eq(datasources.organizationId, organizationId),
      eq(datasources.id, datasourceId),
      buildPresentDatastoreCondition(),
    );
    const [found] = await tx
      .select({
        key: datasources.documentKey,
        name: datasources.name,
        runId: datasources.runId,
        status: datasources.status,
      })
      .from(datasources)
      .where(isThis)
      .for('key share');
    if (found === undefined) return buildMissingContentRefusal(claim);
    // The end of a run releases the reservations of the run, so a reservation that is made later would stay.
    if (claim.runId !== undefined && (claim.runId !== found.runId || isSettledStatus(found.status)))
      return buildEndedRunRefusal(claim.runId);
    // A datasource with a single document has one reservation, with the document key of the datasource. The claim may
    // contain another key, because a web address has several spellings.
    const row = { organizationId, datasourceId, documentKey: found.key ?? claim.documentKey, tokens };
    const stored = await lockTokenTotal(tx, organizationId);
    const { limit, reserved } = await loadTokenReservation(tx, row);
    const more = Math.max(0, tokens - reserved);
    const isExceededBy = (used: number): boolean => more > 0 && limit !== null && used + more > limit;
    const total = isExceededBy(stored) ? stored - (await sumRemovedTokens(tx, organizationId)) : stored;
    if (limit !== null && isExceededBy(total)) {
      return buildLimitExceededRefusal(found.key === null ? claim.documentKey : found.name, { limit, total, more });
    }
    if (more > 0) {
      await tx
        .insert(tokenReservations)
        .values(row)
        .onConflictDoUpdate({
          target: [tokenReservations.datasourceId, tokenReservations.documentKey],
          set: { tokens },
        });
    }
    return { granted: true };
  });
}

/**
 * Locks the token total of an organization, so that the claims of the organization run one after the other.
 *
 * @returns the number of stored and reserved tokens of the organization
 */
async function lockTokenTotal(tx: Queries, organizationId: string): Promise<number> {
  const [row] = await tx
    .insert(tokenTotals)
    .values({ organizationId, tokens: 0 })
    .onConflictDoUpdate({ target: tokenTotals.organizationId, set: { tokens: sql`${tokenTotals.tokens}` } })
    .returning({ tokens: tokenTotals.tokens });
  if (row === undefined) throw new Error(`expected a token total of organization ${organizationId}, found none`);
  return row.tokens;
}

/**
 * Loads the token limit of an organization and the reservation of a document. Must be called after `lockTokenTotal`.
 * One statement cannot lock and load, because a statement that waits for a lock reads the data from before the wait.
 */
async function loadTokenReservation(
  tx: Queries,
  { organizationId, datasourceId, documentKey }: ReservedDocument,
): Promise<{ readonly limit: number | null; readonly reserved: number }> {
  const ofDocument = and(
    eq(tokenReservations.datasourceId, datasourceId),
    eq(tokenReservations.documentKey, documentKey),
  );
  const [row] = await tx
    .select({ limit: organizations.storedTokens, reserved: tokenReservations.tokens })
    .from(organizations)
    .leftJoin(tokenReservations, ofDocument)
    .where(eq(organizations.id, organizationId));
  return { limit: row?.limit ?? null, reserved: row?.reserved ?? 0 };
}

interface TokenUsage {
  readonly limit: number;
  readonly total: number;
  readonly more: number;
}

/** Builds the refusal of a claim that would exceed the limit. @param document the name or key of the document */
function buildLimitExceededRefusal(document: string, { limit, total, more }: TokenUsage): TokenGrant {
  const message = `The limit storedTokens allows ${limit} tokens, found ${total} stored and ${more} more in ${document}. Raise the limit, which resumes the run, or delete content and sync the datasource.`;
  return { granted: false, code: 'usage_limit_reached', message };
}

/** Builds the refusal of a claim for a datasource that does not exist, usually because it was removed. */
function buildMissingContentRefusal({ datasourceId }: TokenClaim): TokenGrant {
  return {
    granted: false,
    code: 'content_missing',
    message: `The datasource ${datasourceId} was removed while it was being indexed.`,
  };
}

/** Builds the refusal of a claim whose run has ended. */
function buildEndedRunRefusal(runId: string): TokenGrant {
  return {
    granted: false,
    code: 'run_ended',
    message: `The run ${runId} ended while the document was being indexed.`,
  };
}
