import type { ClaimTokens, TokenClaim, TokenGrant } from '@quarry/contracts';
import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { prepared, UNNAMED } from '../database/prepared.js';
import { datasources } from '../database/tables/datasources.js';
import { organizations } from '../database/tables/organizations.js';
import { tokenReservations, tokenTotals } from '../database/tables/token-reservations.js';

/** Answers claims from the database: for a worker in the same process. */
export function tokenClaims({ db }: { readonly db: Queries }): ClaimTokens {
  return async (claim) => claimTokens(db, claim);
}

/**
 * Reserves the tokens of a document, unless the organization would then have more than its limit. Where there is no limit nothing
 * is reserved: they are counted when they are stored.
 */
export async function claimTokens(db: Queries, asked: TokenClaim): Promise<TokenGrant> {
  const { organizationId, datasourceId } = asked;
  if (!isId(organizationId) || !isId(datasourceId)) return gone(asked);
  const [found] = await limitOf(db).execute({ organizationId, datasourceId });
  if (found === undefined) return gone(asked);
  return found.limit === null ? { granted: true } : reserveTokens(db, asked);
}

const limitOf = prepared((db) =>
  db
    .select({ limit: organizations.storedTokens })
    .from(datasources)
    .innerJoin(organizations, eq(organizations.id, datasources.organizationId))
    .where(
      and(
        eq(datasources.organizationId, sql.placeholder('organizationId')),
        eq(datasources.id, sql.placeholder('datasourceId')),
      ),
    )
    .prepare(UNNAMED),
);

/**
 * What the document has already counts once: while its new text takes the place of the old one, the greater of the two is
 * reserved.
 *
 * The datasource is locked first and the organization's total last, as everywhere: a removal waits, or has won.
 */
async function reserveTokens(db: Queries, asked: TokenClaim): Promise<TokenGrant> {
  const { organizationId, datasourceId, tokens } = asked;
  return db.transaction(async (tx) => {
    const isThis = and(eq(datasources.organizationId, organizationId), eq(datasources.id, datasourceId));
    const [found] = await tx
      .select({ key: datasources.documentKey, name: datasources.name })
      .from(datasources)
      .where(isThis)
      .for('key share');
    if (found === undefined) return gone(asked);
    // A datasource that is one document has one row: its run may name it in another way, as an address is written in several.
    const claim = { organizationId, datasourceId, documentKey: found.key ?? asked.documentKey, tokens };
    const total = await lockTotal(tx, organizationId);
    const { limit, held } = await standOf(tx, claim);
    const more = Math.max(0, tokens - held);
    if (more > 0 && limit !== null && total + more > limit) {
      return refusal(found.key === null ? asked.documentKey : found.name, { limit, total, more });
    }
    if (more > 0) {
      await tx
        .insert(tokenReservations)
        .values(claim)
        .onConflictDoUpdate({
          target: [tokenReservations.datasourceId, tokenReservations.documentKey],
          set: { tokens },
        });
    }
    return { granted: true };
  });
}

/** From here on one claim of the organization after the other. @returns the tokens it has */
async function lockTotal(tx: Queries, organizationId: string): Promise<number> {
  const [row] = await tx
    .insert(tokenTotals)
    .values({ organizationId, tokens: 0 })
    .onConflictDoUpdate({ target: tokenTotals.organizationId, set: { tokens: sql`${tokenTotals.tokens}` } })
    .returning({ tokens: tokenTotals.tokens });
  if (row === undefined) throw new Error(`the total of organization ${organizationId} was not written`);
  return row.tokens;
}

/** In a statement of its own: one that waits for a lock goes on with what it saw before. */
async function standOf(
  tx: Queries,
  { organizationId, datasourceId, documentKey }: TokenClaim,
): Promise<{ readonly limit: number | null; readonly held: number }> {
  const ofDocument = and(
    eq(tokenReservations.datasourceId, datasourceId),
    eq(tokenReservations.documentKey, documentKey),
  );
  const [row] = await tx
    .select({ limit: organizations.storedTokens, held: tokenReservations.tokens })
    .from(organizations)
    .leftJoin(tokenReservations, ofDocument)
    .where(eq(organizations.id, organizationId));
  return { limit: row?.limit ?? null, held: row?.held ?? 0 };
}

interface Stand {
  readonly limit: number;
  readonly total: number;
  readonly more: number;
}

function refusal(document: string, { limit, total, more }: Stand): TokenGrant {
  const message = `The limit storedTokens allows ${limit} tokens, found ${total} stored and ${more} more in ${document}. Remove what is not needed, or have the limit raised, and sync the datasource.`;
  return { granted: false, code: 'usage_limit_reached', message };
}

function gone({ datasourceId }: TokenClaim): TokenGrant {
  return {
    granted: false,
    code: 'content_missing',
    message: `The datasource ${datasourceId} was removed while it was being indexed.`,
  };
}

/** The tokens of an organization: those that are stored, and those that may be. */
export async function tokensOf(db: Queries, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ tokens: tokenTotals.tokens })
    .from(tokenTotals)
    .where(eq(tokenTotals.organizationId, organizationId));
  return row?.tokens ?? 0;
}
