import type { DocumentOutcome } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { organizationIdColumn } from './organizations.js';
import { timeColumn, quarry } from './quarry-schema.js';
import type { StoredPages } from './stored-pages.js';

/** Stores the documents of datasources with many documents, such as the pages of a site, with their latest outcome. */
export const documents = quarry.table(
  'documents',
  {
    organizationId: organizationIdColumn(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    documentKey: text('document_key').notNull(),
    runId: uuid('run_id').notNull(),
    outcome: text('outcome').$type<DocumentOutcome>().notNull(),
    code: text('code'),
    message: text('message'),
    name: text('name'),
    source: text('source'),
    fragments: integer('fragments').notNull(),
    storedTokens: bigint('stored_tokens', { mode: 'number' }).notNull(),
    pages: jsonb('pages').$type<StoredPages>(),
    /**
     * The indexed version of the document. Null: no version is confirmed, for example while the document is being
     * replaced.
     */
    version: text('version'),
    /** The version of the document that the latest run found in the source. */
    foundVersion: text('found_version'),
    settledAt: timeColumn('settled_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.datasourceId, table.documentKey] }),
    index('documents_of_organization').on(table.organizationId),
    index('documents_of_run').on(table.datasourceId, table.runId),
    // A sync leaves most documents unchanged. The index has no entries for unchanged documents, so that a sync writes
    // less to the index.
    index('documents_by_outcome')
      .on(table.datasourceId, table.outcome, table.documentKey)
      .where(sql`${table.outcome} <> 'unchanged'`),
    // The index contains the documents whose fragments are removed at the end of their run. It is empty between two
    // runs.
    index('documents_skipped_with_fragments')
      .on(table.datasourceId, table.runId)
      .where(sql`${table.outcome} = 'skipped' and ${table.fragments} > 0`),
  ],
);

export type DocumentRow = typeof documents.$inferSelect;
