import type { DocumentOutcome } from '@quarry/contracts';
import { and, asc, eq, gt } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents, type DocumentRow } from '../database/tables/documents.js';
import type { KeyPageRequest } from '../paging/key-pages.js';

/** What a datasource of several documents is made of, in the order of the keys. @returns one more than the page holds, when there is more */
export async function listDocuments(
  db: Queries,
  datasource: { readonly organizationId: string; readonly id: string },
  outcome: DocumentOutcome | undefined,
  { limit, after }: KeyPageRequest,
): Promise<readonly DocumentRow[]> {
  return db
    .select()
    .from(documents)
    .where(
      and(
        eq(documents.organizationId, datasource.organizationId),
        eq(documents.datasourceId, datasource.id),
        outcome === undefined ? undefined : eq(documents.outcome, outcome),
        after === undefined ? undefined : gt(documents.documentKey, after),
      ),
    )
    .orderBy(asc(documents.documentKey))
    .limit(limit + 1);
}
