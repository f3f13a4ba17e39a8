import type { DocumentOutcome } from '@quarry/contracts';
import { and, asc, eq, gt, gte } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents, type DocumentRow } from '../database/tables/documents.js';
import type { KeyPageRequest } from '../paging/sort-key-pages.js';

/** Selects documents. A document must meet all conditions that are not undefined. */
export interface DocumentFilter {
  readonly outcome?: DocumentOutcome | undefined;
  readonly documentKey?: string | undefined;
}

/**
 * Returns a page of the documents of a datasource, ordered by document key.
 *
 * @returns at most `limit + 1` documents; the additional one shows that another page follows
 */
export async function listDocuments(
  db: Queries,
  datasource: { readonly organizationId: string; readonly id: string },
  { outcome, documentKey }: DocumentFilter,
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
        documentKey === undefined ? undefined : eq(documents.documentKey, documentKey),
        after === undefined ? undefined : gt(documents.documentKey, after),
      ),
    )
    .orderBy(asc(documents.documentKey))
    .limit(limit + 1);
}

/**
 * Returns the document keys of documents that have searchable fragments, in ascending order.
 *
 * @param from the key from which the list starts; undefined: the list starts with the first document
 */
export async function listIndexedDocumentKeys(
  db: Queries,
  datasource: { readonly organizationId: string; readonly id: string },
  { from, limit }: { readonly from: string | undefined; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db
    .select({ documentKey: documents.documentKey })
    .from(documents)
    .where(
      and(
        eq(documents.organizationId, datasource.organizationId),
        eq(documents.datasourceId, datasource.id),
        gt(documents.fragments, 0),
        from === undefined ? undefined : gte(documents.documentKey, from),
      ),
    )
    .orderBy(asc(documents.documentKey))
    .limit(limit);
  return rows.map(({ documentKey }) => documentKey);
}
